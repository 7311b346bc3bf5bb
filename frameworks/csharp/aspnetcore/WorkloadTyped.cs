using Restbench.Shared;

namespace Restbench;

/// <summary>Business logic that takes its time, its bodies records.</summary>
internal static class WorkloadTyped
{
    public static void MapWorkloadTyped(this IEndpointRouteBuilder app)
    {
        var api = app.MapGroup("/test").ExcludeFromDescription();

        api.MapPost("/simple/typed", (Message sent) => new Message(Work.Greeting(sent.Payload)));

        api.MapPost("/timed/typed", async (Message sent) =>
        {
            await Work.WaitTimed();
            return new Message(Work.Greeting(sent.Payload));
        });
    }
}

internal sealed record Message(string Payload);
