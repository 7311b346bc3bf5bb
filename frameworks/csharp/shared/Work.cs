namespace Restbench.Shared;

/// <summary>The business logic of the suite workload, the same in every entry.</summary>
public static class Work
{
    private const int BcryptCost = 10;

    /// <summary>How many hashes are computed at the same time: one for each worker.</summary>
    private static readonly SemaphoreSlim Hashing = new(Settings.Workers);

    private static readonly Delay Timed = new(TimeSpan.FromMilliseconds(20));

    private static readonly Delay Processing = new(Settings.Processing);

    public static string ProcessingNote { get; } = $"handled for {Settings.ProcessingMs} ms";

    /// <summary>The waiting of the scenario timed.</summary>
    public static Task WaitTimed() => Timed.Wait();

    /// <summary>The handling of a message. It is waiting.</summary>
    public static Task Process() => Processing.Wait();

    public static string Greeting(string payload) => $"Hello, {payload}";

    /// <summary>Computes a hash for tens of milliseconds, on a thread that is not one of those of other requests.</summary>
    public static async Task<string> HashPassword(string payload)
    {
        await Hashing.WaitAsync();
        try
        {
            return await Task.Factory.StartNew(
                () => BCrypt.Net.BCrypt.HashPassword(payload, BcryptCost), TaskCreationOptions.LongRunning);
        }
        finally
        {
            Hashing.Release();
        }
    }
}
