using FastEndpoints;
using Restbench.Shared;

namespace Restbench.Workload;

/// <summary>An endpoint whose body has a text under a key.</summary>
public abstract class TextEndpoint(string route, string key) : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post(route);
        Group<Test>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken cancelled)
    {
        if (body.GetValueOrDefault(key) is not string text)
        {
            ThrowError($"There is no text under the key {key}.");
            return;
        }
        await Send.OkAsync(await Answer(text, cancelled), cancelled);
    }

    protected abstract ValueTask<Row> Answer(string text, CancellationToken cancelled);
}

/// <summary>Business logic that takes its time, its bodies plain values.</summary>
public sealed class SimpleRaw() : TextEndpoint("/simple/raw", "payload")
{
    protected override ValueTask<Row> Answer(string text, CancellationToken cancelled) =>
        new(new Row { ["payload"] = Work.Greeting(text) });
}

public sealed class TimedRaw() : TextEndpoint("/timed/raw", "payload")
{
    protected override async ValueTask<Row> Answer(string text, CancellationToken cancelled)
    {
        await Work.WaitTimed();
        return new Row { ["payload"] = Work.Greeting(text) };
    }
}

public sealed class Bcrypt() : TextEndpoint("/bcrypt", "payload")
{
    protected override async ValueTask<Row> Answer(string text, CancellationToken cancelled) =>
        new Row { ["payload"] = await Work.HashPassword(text) };
}

public sealed class Queue() : TextEndpoint("/", "message")
{
    protected override async ValueTask<Row> Answer(string text, CancellationToken cancelled)
    {
        await Work.Process();
        return new Row { ["message"] = text, ["note"] = Work.ProcessingNote };
    }
}
