using Microsoft.AspNetCore.Mvc;
using Restbench.Shared;

namespace Restbench.Controllers;

/// <summary>Business logic that takes its time, its bodies records.</summary>
[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
[Route("test")]
public sealed class WorkloadTypedController : ControllerBase
{
    [HttpPost("simple/typed")]
    public Message Simple(Message sent) => new(Work.Greeting(sent.Payload));

    [HttpPost("timed/typed")]
    public async Task<Message> Timed(Message sent)
    {
        await Work.WaitTimed();
        return new(Work.Greeting(sent.Payload));
    }
}

public sealed record Message(string Payload);
