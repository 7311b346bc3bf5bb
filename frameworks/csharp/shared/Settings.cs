using System.Globalization;

namespace Restbench.Shared;

/// <summary>The variables that an app is started with.</summary>
public static class Settings
{
    public static string Url { get; } = $"http://0.0.0.0:{Variable("PORT", "8080")}";

    internal static int Workers { get; } = int.Parse(Variable("WORKERS", "1"));

    internal static int PoolSize { get; } = int.Parse(Variable("POOL_SIZE", "100"));

    internal static TimeSpan PoolLatency { get; } = Milliseconds(Variable("POOL_LATENCY_MS", "1"));

    internal static string ProcessingMs { get; } = Variable("PROCESSING_MS", "0");

    internal static TimeSpan Processing { get; } = Milliseconds(ProcessingMs);

    internal static string SolrUrl { get; } = Variable("SOLR_URL", "http://localhost:8983/solr/performance");

    internal static string Fixtures { get; } = Variable("FIXTURES", "/fixtures");

    private static TimeSpan Milliseconds(string number) =>
        TimeSpan.FromMilliseconds(double.Parse(number, CultureInfo.InvariantCulture));

    private static string Variable(string name, string otherwise) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : otherwise;
}
