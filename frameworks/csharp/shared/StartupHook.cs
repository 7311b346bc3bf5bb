using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Text.Json;

/// <summary>
/// Prints what the runtime runs with, in place of running the app. The runtime loads it only where DOTNET_STARTUP_HOOKS
/// names this file, which ../runtime-settings does beside an app that runs.
/// </summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        var collector = GC.GetConfigurationVariables();
        var app = Assembly.LoadFrom(Path.Combine(AppContext.BaseDirectory, "App.dll"));
        var tiered = IsOn("System.Runtime.TieredCompilation", "TieredCompilation");
        var development = app.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled ?? false;
        var settings = new Dictionary<string, string>
        {
            ["GC"] = GCSettings.IsServerGC ? "server" : "workstation",
            ["concurrent GC"] = GCSettings.LatencyMode == GCLatencyMode.Batch ? "off" : "on",
            ["heaps"] = GCSettings.IsServerGC ? $"{collector["HeapCount"]}" : "1",
            ["processors"] = $"{Environment.ProcessorCount}",
            ["tiered compilation"] = tiered ? "on" : "off",
            ["tiered PGO"] = tiered && IsOn("System.Runtime.TieredPGO", "TieredPGO") ? "on" : "off",
            ["build"] = development ? "Debug" : "Release",
            ["environment"] = Variable("DOTNET_ENVIRONMENT") ?? Variable("ASPNETCORE_ENVIRONMENT") ?? "Production",
        };
        Console.WriteLine(JsonSerializer.Serialize(settings));
        Environment.Exit(0);
    }

    /// <summary>Whether a switch of the runtime is on, as it is by default. A variable goes before the app's file.</summary>
    private static bool IsOn(string name, string variable) =>
        (Variable($"DOTNET_{variable}") ?? AppContext.GetData(name)?.ToString())?.ToLowerInvariant() is not ("0" or "false");

    private static string? Variable(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? text : null;
}
