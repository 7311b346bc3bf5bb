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
    public async Task<User> UserInfo(int id) => Shared.User.FromRow(await source.User(), id);

    [HttpGet("sprint/typed/{id:int:min(0)}")]
    public async Task<Board> Sprint(int id) => Board.FromRow(await source.Sprint(), id);

    [HttpPost("board/typed/{id:int:min(0)}/task")]
    public async Task<ActionResult<BoardTask>> CreateTask(int id, TaskIn task) =>
        Created((string?)null, BoardTask.FromRow(await source.Task(), id, task));

    [HttpPut("board/typed/{id:int:min(0)}/task")]
    public async Task<IActionResult> UpdateTask(int id, TaskIn task)
    {
        await source.SaveTask(task);
        return NoContent();
    }
}
