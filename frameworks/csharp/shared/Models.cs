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
    string Picture)
{
    /// <summary>The user with that id, from a row of the data source.</summary>
    public static User FromRow(Row row, int id) =>
        new(
            $"{row.Text("sub")}-{id}",
            [.. row.List("group_ids").Cast<int>()],
            row.Text("given_name"),
            row.Text("name"),
            row.Text("email"),
            row.Text("phone_number"),
            new Address(row.Object("address").Text("formatted")),
            row.Text("picture"));
}

public sealed record Person(int Id, string Name, string Picture)
{
    internal static Person FromRow(Row row) => new(row.Number("id"), row.Text("name"), row.Text("picture"));
}

public sealed record Sprint(int Id, string Name, DateTimeOffset Start, DateTimeOffset End);

/// <summary>A task as the board shows it. It may be assigned to nobody.</summary>
public sealed record Issue(
    int Id,
    string Summary,
    string DescriptionShort,
    int Index,
    int StatusId,
    int StoryPoints,
    Person? Assigned,
    DateTimeOffset ModifiedAt)
{
    internal static Issue FromRow(Row row) =>
        new(
            row.Number("id"),
            row.Text("summary"),
            row.Text("description_short"),
            row.Number("index"),
            row.Number("status_id"),
            row.Number("story_points"),
            row.GetValueOrDefault("assigned") is Row assigned ? Person.FromRow(assigned) : null,
            row.Time("modified_at"));
}

/// <summary>A sprint with its issues.</summary>
public sealed record Board(Sprint Sprint, List<Issue> Issues)
{
    /// <summary>The board of the sprint with that id, from a row of the data source.</summary>
    public static Board FromRow(Row row, int sprintId)
    {
        var sprint = row.Object("sprint");
        return new(
            new Sprint(sprintId, sprint.Text("name"), sprint.Time("start"), sprint.Time("end")),
            [.. row.List("issues").Cast<Row>().Select(Issue.FromRow)]);
    }
}

/// <summary>The fields of a task that a client sends.</summary>
public sealed record TaskIn(
    string Summary,
    string Description,
    string IssueType,
    string Priority,
    [NoNulls] List<string> Labels,
    [NoNulls] List<string> Components)
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

public sealed record Activity(int Id, Person Author, string Kind, string Message, DateTimeOffset CreatedAt)
{
    internal static Activity FromRow(Row row) =>
        new(
            row.Number("id"),
            Person.FromRow(row.Object("author")),
            row.Text("kind"),
            row.Text("message"),
            row.Time("created_at"));
}

/// <summary>A task as the tracker keeps it.</summary>
public sealed record BoardTask(
    int Id,
    int Board,
    string Summary,
    string Description,
    string IssueType,
    string Priority,
    List<string> Labels,
    List<string> Components,
    Person Author,
    Person Assigned,
    Project Project,
    Status Status,
    List<Activity> Activity,
    DateTimeOffset CreatedAt)
{
    /// <summary>The task that a client sent to a board, with a row of the data source.</summary>
    public static BoardTask FromRow(Row row, int board, TaskIn sent)
    {
        Row project = row.Object("project"), status = row.Object("status");
        return new(
            row.Number("id"),
            board,
            sent.Summary,
            sent.Description,
            sent.IssueType,
            sent.Priority,
            sent.Labels,
            sent.Components,
            Person.FromRow(row.Object("author")),
            Person.FromRow(row.Object("assigned")),
            new Project(project.Number("id"), project.Text("key"), project.Text("name")),
            new Status(status.Number("id"), status.Text("name"), status.Text("category")),
            [.. row.List("activity").Cast<Row>().Select(Restbench.Shared.Activity.FromRow)],
            row.Time("created_at"));
    }
}
