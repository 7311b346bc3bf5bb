using FastEndpoints;

namespace Restbench;

public sealed record PartRequest(int Part);

/// <summary>Ten routes of a method, each of which answers the integer of its path.</summary>
public abstract class PartEndpoint(Http method) : Endpoint<PartRequest>
{
    public override void Configure()
    {
        Verbs(method);
        Routes([.. Enumerable.Range(0, 10).Select(n => $"/route-{$"{method}".ToLowerInvariant()}-{n}/{{part:int:min(0)}}")]);
        Description(endpoint => endpoint.ExcludeFromDescription(), clearDefaults: true);
    }

    public override Task HandleAsync(PartRequest request, CancellationToken cancelled) =>
        Send.OkAsync(new { request.Part }, cancelled);
}

public sealed class GetPart() : PartEndpoint(Http.GET);

public sealed class PostPart() : PartEndpoint(Http.POST);

public sealed class PutPart() : PartEndpoint(Http.PUT);
