using FastEndpoints;

namespace Restbench;

public sealed class Hello : EndpointWithoutRequest
{
    public override void Configure()
    {
        Get("/hello_world");
        Description(endpoint => endpoint.ExcludeFromDescription());
    }

    public override Task HandleAsync(CancellationToken ct) => Send.StringAsync("Hello World");
}
