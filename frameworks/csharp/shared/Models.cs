namespace Restbench.Shared;

public sealed record Address(string Formatted);

public sealed record User(
    string Sub,
    List<int> GroupIds,
    string GivenName,
    string Name,
    string Email,
    string PhoneNumber,
    Address Address,
    string Picture);

public sealed record Person(int Id, string Name, string Picture);

/// <summary>A sprint. Its row has no id.</summary>
public sealed record Sprint(string Name, DateTimeOffset Start, DateTimeOffset End)
{
    public int Id { get; init; }
}

/// <summary>A task as the board shows it. It may be assigned to nobody.</summary>
public sealed record Issue(
    int Id,
    string Summary,
    string DescriptionShort,
    int Index,
    int StatusId,
    int StoryPoints,
    DateTimeOffset ModifiedAt)
{
    public Person? Assigned { get; init; }
}

/// <summary>A sprint with its issues.</summary>
public sealed record Board(Sprint Sprint, List<Issue> Issues);

/// <summary>The fields of a task that a client sends.</summary>
public sealed record TaskIn(
    string Summary,
    string Description,
    string IssueType,
    string Priority,
    List<string> Labels,
    List<string> Components)
{
    private static readonly string[] Fields =
        ["summary", "description", "issue_type", "priority", "labels", "components"];

    /// <summary>Returns the fields of a task out of a body, or null where one of them is missing.</summary>
    public static Row? FieldsOf(Row body)
    {
        var task = new Row();
        foreach (var field in Fields)
        {
            if (!body.TryGetValue(field, out var value))
            {
                return null;
            }
            task[field] = value;
        }
        return task;
    }
}

public sealed record Project(int Id, string Key, string Name);

public sealed record Status(int Id, string Name, string Category);

public sealed record Activity(int Id, Person Author, string Kind, string Message, DateTimeOffset CreatedAt);

/// <summary>A task as the tracker keeps it. Its row has neither a board nor the fields that a client sends.</summary>
public sealed record BoardTask(
    int Id,
    Person Author,
    Person Assigned,
    Project Project,
    Status Status,
    List<Activity> Activity,
    DateTimeOffset CreatedAt)
{
    public int Board { get; init; }
    public string Summary { get; init; } = "";
    public string Description { get; init; } = "";
    public string IssueType { get; init; } = "";
    public string Priority { get; init; } = "";
    public List<string> Labels { get; init; } = [];
    public List<string> Components { get; init; } = [];

    /// <summary>Returns a copy with the fields that a client sent to a board.</summary>
    public BoardTask With(int board, TaskIn sent) =>
        this with
        {
            Board = board,
            Summary = sent.Summary,
            Description = sent.Description,
            IssueType = sent.IssueType,
            Priority = sent.Priority,
            Labels = sent.Labels,
            Components = sent.Components,
        };
}
