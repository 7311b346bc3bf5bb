using Microsoft.AspNetCore.Mvc;
using Restbench.Shared;

namespace Restbench.Controllers;

/// <summary>The sprint board, its bodies dictionaries of plain values.</summary>
[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
[Route("api/v1")]
public sealed class IssueTrackerRawController(DataSource source) : ControllerBase
{
    [HttpGet("userinfo/raw/{id:int:min(0)}")]
    public async Task<Row> UserInfo(int id)
    {
        var user = await source.PlainUser();
        return user.With("sub", $"{user["sub"]}-{id}");
    }

    [HttpGet("sprint/raw/{id:int:min(0)}")]
    public async Task<Row> Sprint(int id)
    {
        var board = await source.PlainSprint();
        return board.With("sprint", ((Row)board["sprint"]!).With("id", id));
    }

    [HttpPost("board/raw/{id:int:min(0)}/task")]
    public async Task<ActionResult<Row>> CreateTask(int id, PlainObject body)
    {
        if (TaskIn.FieldsOf(body) is not { } task)
        {
            return Incomplete();
        }
        var row = await source.PlainTask();
        return Created((string?)null, row.With(task).With("board", id));
    }

    [HttpPut("board/raw/{id:int:min(0)}/task")]
    public async Task<IActionResult> UpdateTask(int id, PlainObject body)
    {
        if (TaskIn.FieldsOf(body) is not { } task)
        {
            return Incomplete();
        }
        await source.SaveTask(task);
        return NoContent();
    }

    private ObjectResult Incomplete() =>
        Problem("A field of the task is missing.", statusCode: StatusCodes.Status400BadRequest);
}
