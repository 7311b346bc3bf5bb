using Restbench.Shared;

namespace Restbench;

/// <summary>Business logic that takes its time, its bodies plain values. What has no variants is here too.</summary>
internal static class WorkloadRaw
{
    public static void MapWorkloadRaw(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/test").ExcludeFromDescription();

        api.MapPost("/simple/raw", (PlainObject body) =>
            body.GetValueOrDefault("payload") is string payload
                ? Results.Ok(new Row { ["payload"] = Work.Greeting(payload) })
                : Missing("payload"));

        api.MapPost("/timed/raw", async (PlainObject body) =>
        {
            if (body.GetValueOrDefault("payload") is not string payload)
            {
                return Missing("payload");
            }
            await Work.WaitTimed();
            return Results.Ok(new Row { ["payload"] = Work.Greeting(payload) });
        });

        api.MapPost("/bcrypt", async (PlainObject body) =>
            body.GetValueOrDefault("payload") is string payload
                ? Results.Ok(new Row { ["payload"] = await Work.HashPassword(payload) })
                : Missing("payload"));

        api.MapGet("/status", () => "OK");

        api.MapGet("/labels/{label}", (string label) => label);

        api.MapPost("/", async (PlainObject body) =>
        {
            if (body.GetValueOrDefault("message") is not string message)
            {
                return Missing("message");
            }
            await Work.Process();
            return Results.Ok(new Row { ["message"] = message, ["note"] = Work.ProcessingNote });
        });
    }

    private static IResult Missing(string key) =>
        Results.Problem($"There is no text under the key {key}.", statusCode: StatusCodes.Status400BadRequest);
}
