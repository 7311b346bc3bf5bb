using FastEndpoints;

namespace Restbench;

/// <summary>Thirty routes, each of which answers the integer of its path.</summary>
public sealed class GetPart : EndpointWithoutRequest
{
    public override void Configure()
    {
        Get([.. Enumerable.Range(0, 10).Select(n => $"/route-get-{n}/{{part:int:min(0)}}")]);
        Description(endpoint => endpoint.ExcludeFromDescription());
    }

    public override Task HandleAsync(CancellationToken ct) => Send.OkAsync(new { part = Route<int>("part") });
}

public sealed class PostPart : EndpointWithoutRequest
{
    public override void Configure()
    {
        Post([.. Enumerable.Range(0, 10).Select(n => $"/route-post-{n}/{{part:int:min(0)}}")]);
        Description(endpoint => endpoint.ExcludeFromDescription());
    }

    public override Task HandleAsync(CancellationToken ct) => Send.OkAsync(new { part = Route<int>("part") });
}

public sealed class PutPart : EndpointWithoutRequest
{
    public override void Configure()
    {
        Put([.. Enumerable.Range(0, 10).Select(n => $"/route-put-{n}/{{part:int:min(0)}}")]);
        Description(endpoint => endpoint.ExcludeFromDescription());
    }

    public override Task HandleAsync(CancellationToken ct) => Send.OkAsync(new { part = Route<int>("part") });
}
