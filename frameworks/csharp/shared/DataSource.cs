namespace Restbench.Shared;

/// <summary>
/// The emulated data source. It has a pool of connections, and a fetch holds one of them for a while. It replaces a
/// database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is not measured.
/// An app has one.
/// </summary>
public sealed class DataSource
{
    private readonly Rows rows = new();
    private readonly SemaphoreSlim pool = new(Settings.PoolSize);
    private readonly Delay latency = new(Settings.PoolLatency);

    /// <summary>The row of the user.</summary>
    public async Task<Row> User()
    {
        await UseConnection();
        return rows.User();
    }

    /// <summary>The row of the sprint with its issues.</summary>
    public async Task<Row> Sprint()
    {
        await UseConnection();
        return rows.Sprint();
    }

    /// <summary>The fields of a new task that the tracker sets: its number, author, status and so on.</summary>
    public async Task<Row> Task()
    {
        await UseConnection();
        return rows.Task();
    }

    /// <summary>Takes as long as a write would, and keeps nothing.</summary>
    public async Task SaveTask(object task)
    {
        await UseConnection();
        rows.SaveTask();
    }

    private async Task UseConnection()
    {
        await pool.WaitAsync();
        try
        {
            await latency.Wait();
        }
        finally
        {
            pool.Release();
        }
    }
}
