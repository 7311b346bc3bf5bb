using FastEndpoints;
using Restbench.Shared;

namespace Restbench.Workload;

public sealed record Message(string Payload);

/// <summary>Business logic that takes its time, its bodies records.</summary>
public sealed class SimpleTyped : Endpoint<Message, Message>
{
    public override void Configure()
    {
        Post("/simple/typed");
        Group<Test>();
    }

    public override Task HandleAsync(Message sent, CancellationToken ct) =>
        Send.OkAsync(new(Work.Greeting(sent.Payload)));
}

public sealed class TimedTyped : Endpoint<Message, Message>
{
    public override void Configure()
    {
        Post("/timed/typed");
        Group<Test>();
    }

    public override async Task HandleAsync(Message sent, CancellationToken ct)
    {
        await Work.WaitTimed();
        await Send.OkAsync(new(Work.Greeting(sent.Payload)));
    }
}
