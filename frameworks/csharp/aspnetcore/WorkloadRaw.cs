using Microsoft.AspNetCore.Http.HttpResults;
using Restbench.Shared;

namespace Restbench;

/// <summary>Business logic that takes its time, its bodies plain values. What has no variants is here too.</summary>
internal static class WorkloadRaw
{
    public static void MapWorkloadRaw(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/test").ExcludeFromDescription();

        api.MapPost("/simple/raw", Results<Ok<Row>, ProblemHttpResult> (PlainObject body) =>
            body.GetValueOrDefault("payload") is string payload
                ? TypedResults.Ok(new Row { ["payload"] = Work.Greeting(payload) })
                : Missing("payload"));

        api.MapPost("/timed/raw", async Task<Results<Ok<Row>, ProblemHttpResult>> (PlainObject body) =>
        {
            if (body.GetValueOrDefault("payload") is not string payload)
            {
                return Missing("payload");
            }
            await Work.WaitTimed();
            return TypedResults.Ok(new Row { ["payload"] = Work.Greeting(payload) });
        });

        api.MapPost("/bcrypt", async Task<Results<Ok<Row>, ProblemHttpResult>> (PlainObject body) =>
            body.GetValueOrDefault("payload") is string payload
                ? TypedResults.Ok(new Row { ["payload"] = await Work.HashPassword(payload) })
                : Missing("payload"));

        api.MapGet("/status", () => "OK");

        api.MapGet("/labels/{label}", (string label) => label);

        api.MapPost("/", async Task<Results<Ok<Row>, ProblemHttpResult>> (PlainObject body) =>
        {
            if (body.GetValueOrDefault("message") is not string message)
            {
                return Missing("message");
            }
            await Work.Process();
            return TypedResults.Ok(new Row { ["message"] = message, ["note"] = Work.ProcessingNote });
        });
    }

    private static ProblemHttpResult Missing(string key) =>
        TypedResults.Problem($"There is no text under the key {key}.", statusCode: StatusCodes.Status400BadRequest);
}
