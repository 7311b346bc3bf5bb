using FastEndpoints;

namespace Restbench.Workload;

public sealed class Status : EndpointWithoutRequest
{
    public override void Configure()
    {
        Get("/status");
        Group<Test>();
    }

    public override Task HandleAsync(CancellationToken ct) => Send.StringAsync("OK");
}

public sealed class Label : EndpointWithoutRequest
{
    public override void Configure()
    {
        Get("/labels/{label}");
        Group<Test>();
    }

    public override Task HandleAsync(CancellationToken ct) =>
        Send.StringAsync(Route<string>("label")!);
}
