using FastEndpoints;

namespace Restbench.IssueTracker;

public sealed class Api : Group
{
    public Api() => Configure("/api/v1", group => group.Description(each => each.ExcludeFromDescription()));
}
