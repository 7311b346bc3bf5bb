using Microsoft.AspNetCore.Mvc;

namespace Restbench.Controllers;

[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
public sealed class HelloController : ControllerBase
{
    [HttpGet("hello_world")]
    public string HelloWorld() => "Hello World";
}
