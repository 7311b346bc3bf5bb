using System.Diagnostics;

namespace Restbench.Shared;

internal static class Wait
{
    /// <summary>
    /// Waits that long, less a millisecond at most. The clock of Task.Delay is that of the kernel's ticks, so that a delay
    /// may end some milliseconds too early.
    /// </summary>
    public static async Task For(TimeSpan length)
    {
        var began = Stopwatch.GetTimestamp();
        for (var left = length; left.TotalMilliseconds >= 1; left = length - Stopwatch.GetElapsedTime(began))
        {
            await Task.Delay(left);
        }
    }
}
