using Microsoft.AspNetCore.Http.HttpResults;
using Restbench.Shared;

namespace Restbench;

/// <summary>The sprint board, its bodies dictionaries of plain values.</summary>
internal static class IssueTrackerRaw
{
    public static void MapIssueTrackerRaw(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/api/v1").ExcludeFromDescription();

        api.MapGet("/userinfo/raw/{id:int:min(0)}", async (int id, DataSource source) =>
        {
            var user = await source.PlainUser();
            return user.With("sub", $"{user["sub"]}-{id}");
        });

        api.MapGet("/sprint/raw/{id:int:min(0)}", async (int id, DataSource source) =>
        {
            var board = await source.PlainSprint();
            return board.With("sprint", ((Row)board["sprint"]!).With("id", id));
        });

        api.MapPost("/board/raw/{id:int:min(0)}/task", async Task<Results<Created<Row>, ProblemHttpResult>> (
            int id, PlainObject body, DataSource source) =>
        {
            if (TaskIn.FieldsOf(body) is not { } task)
            {
                return Incomplete();
            }
            var row = await source.PlainTask();
            return TypedResults.Created((string?)null, row.With(task).With("board", id));
        });

        api.MapPut("/board/raw/{id:int:min(0)}/task", async Task<Results<NoContent, ProblemHttpResult>> (
            int id, PlainObject body, DataSource source) =>
        {
            if (TaskIn.FieldsOf(body) is not { } task)
            {
                return Incomplete();
            }
            await source.SaveTask(task);
            return TypedResults.NoContent();
        });
    }

    private static ProblemHttpResult Incomplete() =>
        TypedResults.Problem("A field of the task is missing.", statusCode: StatusCodes.Status400BadRequest);
}
