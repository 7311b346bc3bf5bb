using Microsoft.AspNetCore.Mvc;
using Restbench.Shared;

namespace Restbench.Controllers;

/// <summary>Business logic that takes its time, its bodies plain values. What has no variants is here too.</summary>
[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
[Route("test")]
public sealed class WorkloadRawController : ControllerBase
{
    [HttpPost("simple/raw")]
    public ActionResult<Row> Simple(PlainObject body) =>
        body.GetValueOrDefault("payload") is string payload
            ? new Row { ["payload"] = Work.Greeting(payload) }
            : Missing("payload");

    [HttpPost("timed/raw")]
    public async Task<ActionResult<Row>> Timed(PlainObject body)
    {
        if (body.GetValueOrDefault("payload") is not string payload)
        {
            return Missing("payload");
        }
        await Work.WaitTimed();
        return new Row { ["payload"] = Work.Greeting(payload) };
    }

    [HttpPost("bcrypt")]
    public async Task<ActionResult<Row>> Bcrypt(PlainObject body) =>
        body.GetValueOrDefault("payload") is string payload
            ? new Row { ["payload"] = await Work.HashPassword(payload) }
            : Missing("payload");

    [HttpGet("status")]
    public string Status() => "OK";

    [HttpGet("labels/{label}")]
    public string Label(string label) => label;

    [HttpPost]
    public async Task<ActionResult<Row>> Queue(PlainObject body)
    {
        if (body.GetValueOrDefault("message") is not string message)
        {
            return Missing("message");
        }
        await Work.Process();
        return new Row { ["message"] = message, ["note"] = Work.ProcessingNote };
    }

    private ObjectResult Missing(string key) =>
        Problem($"There is no text under the key {key}.", statusCode: StatusCodes.Status400BadRequest);
}
