using FastEndpoints;
using Restbench.Shared;

namespace Restbench.Workload;

/// <summary>Business logic that takes its time, its bodies plain values.</summary>
public sealed class SimpleRaw : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post("/simple/raw");
        Group<Test>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (body.GetValueOrDefault("payload") is not string payload)
        {
            ThrowError("There is no text under the key payload.");
            return;
        }
        await Send.OkAsync(new Row { ["payload"] = Work.Greeting(payload) });
    }
}

public sealed class TimedRaw : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post("/timed/raw");
        Group<Test>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (body.GetValueOrDefault("payload") is not string payload)
        {
            ThrowError("There is no text under the key payload.");
            return;
        }
        await Work.WaitTimed();
        await Send.OkAsync(new Row { ["payload"] = Work.Greeting(payload) });
    }
}

public sealed class Bcrypt : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post("/bcrypt");
        Group<Test>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (body.GetValueOrDefault("payload") is not string payload)
        {
            ThrowError("There is no text under the key payload.");
            return;
        }
        await Send.OkAsync(new Row { ["payload"] = await Work.HashPassword(payload) });
    }
}

public sealed class Queue : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post("/");
        Group<Test>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (body.GetValueOrDefault("message") is not string message)
        {
            ThrowError("There is no text under the key message.");
            return;
        }
        await Work.Process();
        await Send.OkAsync(new Row { ["message"] = message, ["note"] = Work.ProcessingNote });
    }
}
