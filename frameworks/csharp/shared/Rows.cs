using System.Text.Json;

namespace Restbench.Shared;

/// <summary>
/// Makes the rows of fetches, with plain values as a database driver returns them. The number of the fetch ends one text
/// of each row (docs/CONTRACT.md). Parts of rows are shared: nobody may change them.
/// </summary>
internal sealed class Rows
{
    private readonly Row user = Read("user");
    private readonly Row sprint = Read("sprint");
    private readonly Row task = Read("task");
    private readonly List<object?> issues;
    private readonly Row author;
    private readonly string userPicture;
    private readonly string authorPicture;
    private readonly string[] descriptions;
    private long lastNumber = Random.Shared.NextInt64(1_000_000_000, 9_000_000_000) - 1;

    public Rows()
    {
        issues = (List<object?>)sprint["issues"]!;
        author = (Row)task["author"]!;
        userPicture = WithoutEnd(user["picture"]);
        authorPicture = WithoutEnd(author["picture"]);
        descriptions = [.. issues.Select(issue => WithoutEnd(((Row)issue!)["description_short"]))];
    }

    public Row User() => user.With("picture", userPicture + NextNumber());

    public Row Sprint()
    {
        var number = NextNumber();
        var index = (int)(number % issues.Count);
        var issue = (Row)issues[index]!;
        var changed = new List<object?>(issues) { [index] = issue.With("description_short", descriptions[index] + number) };
        return sprint.With("issues", changed);
    }

    public Row Task() => task.With("author", author.With("picture", authorPicture + NextNumber()));

    public void SaveTask() => NextNumber();

    private long NextNumber() => Interlocked.Increment(ref lastNumber);

    private static Row Read(string name)
    {
        var content = File.ReadAllBytes(Path.Combine(Settings.Fixtures, "issue-tracker", $"{name}.json"));
        return JsonSerializer.Deserialize<PlainObject>(content)!;
    }

    /// <summary>Returns a text without its last ten characters, where the number of a fetch stands.</summary>
    private static string WithoutEnd(object? text) => ((string)text!)[..^10];
}
