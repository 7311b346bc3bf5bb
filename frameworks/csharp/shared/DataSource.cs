namespace Restbench.Shared;

/// <summary>
/// The emulated data source. It has a pool of connections, and a fetch holds one of them for a while. It replaces a
/// database, so that an app waits as real apps do. An app has one. It lends typed rows to schema variants, and plain rows
/// to raw ones. The number of the fetch chooses the row, and ends one text of it (docs/CONTRACT.md). What a row consists
/// of belongs to all requests: nobody changes it.
/// </summary>
public sealed class DataSource
{
    private readonly SemaphoreSlim pool = new(Settings.PoolSize);
    private readonly Delay latency = new(Settings.PoolLatency);
    private readonly User[] users = Fixture.Read<User>("users.json");
    private readonly Board[] sprints = Fixture.Read<Board>("sprints.json");
    private readonly BoardTask[] tasks = Fixture.Read<BoardTask>("tasks.json");
    private readonly Row[] plainUsers = Fixture.Read<PlainObject>("users.json");
    private readonly Row[] plainSprints = Fixture.Read<PlainObject>("sprints.json");
    private readonly Row[] plainTasks = Fixture.Read<PlainObject>("tasks.json");
    private long lastNumber = Random.Shared.NextInt64(1_000_000_000, 9_000_000_000) - 1;

    /// <summary>A user. The entry adds the id to its sub.</summary>
    public async Task<User> User()
    {
        var number = await Fetch();
        var user = users[number % users.Length];
        return user with { Picture = Ended(user.Picture, number) };
    }

    public async Task<Row> PlainUser()
    {
        var number = await Fetch();
        var user = plainUsers[number % plainUsers.Length];
        return user.With("picture", Ended(user["picture"], number));
    }

    /// <summary>A sprint with its issues. The entry sets the id of the sprint.</summary>
    public async Task<Board> Sprint()
    {
        var number = await Fetch();
        var board = sprints[number % sprints.Length];
        var index = (int)(number % board.Issues.Count);
        var issue = board.Issues[index];
        return board with
        {
            Issues = new(board.Issues) { [index] = issue with { DescriptionShort = Ended(issue.DescriptionShort, number) } },
        };
    }

    public async Task<Row> PlainSprint()
    {
        var number = await Fetch();
        var board = plainSprints[number % plainSprints.Length];
        var issues = (List<object?>)board["issues"]!;
        var index = (int)(number % issues.Count);
        var issue = (Row)issues[index]!;
        var ended = issue.With("description_short", Ended(issue["description_short"], number));
        return board.With("issues", new List<object?>(issues) { [index] = ended });
    }

    /// <summary>The fields of a new task that the tracker sets: its number, author, status and so on.</summary>
    public async Task<BoardTask> Task()
    {
        var number = await Fetch();
        var task = tasks[number % tasks.Length];
        return task with { Author = task.Author with { Picture = Ended(task.Author.Picture, number) } };
    }

    public async Task<Row> PlainTask()
    {
        var number = await Fetch();
        var task = plainTasks[number % plainTasks.Length];
        var author = (Row)task["author"]!;
        return task.With("author", author.With("picture", Ended(author["picture"], number)));
    }

    /// <summary>Takes as long as a write would, and keeps nothing.</summary>
    public Task SaveTask(object task) => Fetch();

    /// <summary>Holds a connection for a while. Returns the number of the fetch.</summary>
    private async Task<long> Fetch()
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
        return Interlocked.Increment(ref lastNumber);
    }

    /// <summary>Returns a text with the number in place of its last ten characters.</summary>
    private static string Ended(object? text, long number) => ((string)text!)[..^10] + number;
}
