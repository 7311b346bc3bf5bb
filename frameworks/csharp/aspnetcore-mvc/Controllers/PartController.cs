using Microsoft.AspNetCore.Mvc;

namespace Restbench.Controllers;

/// <summary>Thirty routes, each of which answers the integer of its path.</summary>
[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
public sealed class PartController : ControllerBase
{
    [HttpGet("route-get-0/{part:int:min(0)}")]
    [HttpGet("route-get-1/{part:int:min(0)}")]
    [HttpGet("route-get-2/{part:int:min(0)}")]
    [HttpGet("route-get-3/{part:int:min(0)}")]
    [HttpGet("route-get-4/{part:int:min(0)}")]
    [HttpGet("route-get-5/{part:int:min(0)}")]
    [HttpGet("route-get-6/{part:int:min(0)}")]
    [HttpGet("route-get-7/{part:int:min(0)}")]
    [HttpGet("route-get-8/{part:int:min(0)}")]
    [HttpGet("route-get-9/{part:int:min(0)}")]
    public object Get(int part) => new { part };

    [HttpPost("route-post-0/{part:int:min(0)}")]
    [HttpPost("route-post-1/{part:int:min(0)}")]
    [HttpPost("route-post-2/{part:int:min(0)}")]
    [HttpPost("route-post-3/{part:int:min(0)}")]
    [HttpPost("route-post-4/{part:int:min(0)}")]
    [HttpPost("route-post-5/{part:int:min(0)}")]
    [HttpPost("route-post-6/{part:int:min(0)}")]
    [HttpPost("route-post-7/{part:int:min(0)}")]
    [HttpPost("route-post-8/{part:int:min(0)}")]
    [HttpPost("route-post-9/{part:int:min(0)}")]
    public object Post(int part) => new { part };

    [HttpPut("route-put-0/{part:int:min(0)}")]
    [HttpPut("route-put-1/{part:int:min(0)}")]
    [HttpPut("route-put-2/{part:int:min(0)}")]
    [HttpPut("route-put-3/{part:int:min(0)}")]
    [HttpPut("route-put-4/{part:int:min(0)}")]
    [HttpPut("route-put-5/{part:int:min(0)}")]
    [HttpPut("route-put-6/{part:int:min(0)}")]
    [HttpPut("route-put-7/{part:int:min(0)}")]
    [HttpPut("route-put-8/{part:int:min(0)}")]
    [HttpPut("route-put-9/{part:int:min(0)}")]
    public object Put(int part) => new { part };
}
