using Restbench.Shared;

namespace Restbench;

/// <summary>The sprint board, its bodies records.</summary>
internal static class IssueTrackerTyped
{
    public static void MapIssueTrackerTyped(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/api/v1").ExcludeFromDescription();

        api.MapGet("/userinfo/typed/{id:int:min(0)}", async (int id, DataSource source) =>
            User.FromRow(await source.User(), id));

        api.MapGet("/sprint/typed/{id:int:min(0)}", async (int id, DataSource source) =>
            Board.FromRow(await source.Sprint(), id));

        api.MapPost("/board/typed/{id:int:min(0)}/task", async (int id, TaskIn task, DataSource source) =>
            TypedResults.Created((string?)null, BoardTask.FromRow(await source.Task(), id, task)));

        api.MapPut("/board/typed/{id:int:min(0)}/task", async (int id, TaskIn task, DataSource source) =>
        {
            await source.SaveTask(task);
            return TypedResults.NoContent();
        });
    }
}
