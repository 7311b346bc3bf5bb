using Microsoft.AspNetCore.Mvc;
using Restbench.Shared;

namespace Restbench.Controllers;

/// <summary>The sprint board, its bodies records.</summary>
[ApiController]
[ApiExplorerSettings(IgnoreApi = true)]
[Route("api/v1")]
public sealed class IssueTrackerTypedController(DataSource source) : ControllerBase
{
    [HttpGet("userinfo/typed/{id:int:min(0)}")]
    public async Task<User> UserInfo(int id)
    {
        var user = await source.User();
        return user with { Sub = $"{user.Sub}-{id}" };
    }

    [HttpGet("sprint/typed/{id:int:min(0)}")]
    public async Task<Board> Sprint(int id)
    {
        var board = await source.Sprint();
        return board with { Sprint = board.Sprint with { Id = id } };
    }

    [HttpPost("board/typed/{id:int:min(0)}/task")]
    public async Task<ActionResult<BoardTask>> CreateTask(int id, TaskIn sent)
    {
        var task = await source.Task();
        return Created((string?)null, task.With(id, sent));
    }

    [HttpPut("board/typed/{id:int:min(0)}/task")]
    public async Task<IActionResult> UpdateTask(int id, TaskIn sent)
    {
        await source.SaveTask(sent);
        return NoContent();
    }
}
