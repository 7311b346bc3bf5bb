using FastEndpoints;

namespace Restbench.Workload;

public sealed class Test : Group
{
    public Test() => Configure("/test", group => group.Description(each => each.ExcludeFromDescription()));
}
