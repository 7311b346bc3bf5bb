using Restbench.Shared;

namespace Restbench;

/// <summary>The sprint board, its bodies records.</summary>
internal static class IssueTrackerTyped
{
    public static void MapIssueTrackerTyped(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/api/v1").ExcludeFromDescription();

        api.MapGet("/userinfo/typed/{id:int:min(0)}", async (int id, DataSource source) =>
        {
            var user = await source.User();
            return user with { Sub = $"{user.Sub}-{id}" };
        });

        api.MapGet("/sprint/typed/{id:int:min(0)}", async (int id, DataSource source) =>
        {
            var board = await source.Sprint();
            return board with { Sprint = board.Sprint with { Id = id } };
        });

        api.MapPost("/board/typed/{id:int:min(0)}/task", async (int id, TaskIn sent, DataSource source) =>
        {
            var task = await source.Task();
            return TypedResults.Created((string?)null, task.With(id, sent));
        });

        api.MapPut("/board/typed/{id:int:min(0)}/task", async (int id, TaskIn sent, DataSource source) =>
        {
            await source.SaveTask(sent);
            return TypedResults.NoContent();
        });
    }
}
