using FastEndpoints;
using Restbench.Shared;

namespace Restbench.IssueTracker;

/// <summary>The sprint board, its bodies dictionaries of plain values.</summary>
public sealed class UserInfoRaw(DataSource source) : EndpointWithoutRequest<Row>
{
    public override void Configure()
    {
        Get("/userinfo/raw/{id:int:min(0)}");
        Group<Api>();
    }

    public override async Task HandleAsync(CancellationToken ct)
    {
        var user = await source.PlainUser();
        await Send.OkAsync(user.With("sub", $"{user["sub"]}-{Route<int>("id")}"));
    }
}

public sealed class SprintRaw(DataSource source) : EndpointWithoutRequest<Row>
{
    public override void Configure()
    {
        Get("/sprint/raw/{id:int:min(0)}");
        Group<Api>();
    }

    public override async Task HandleAsync(CancellationToken ct)
    {
        var board = await source.PlainSprint();
        var sprint = ((Row)board["sprint"]!).With("id", Route<int>("id"));
        await Send.OkAsync(board.With("sprint", sprint));
    }
}

public sealed class CreateTaskRaw(DataSource source) : Endpoint<PlainObject, Row>
{
    public override void Configure()
    {
        Post("/board/raw/{id:int:min(0)}/task");
        Group<Api>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (TaskIn.FieldsOf(body) is not { } task)
        {
            ThrowError("A field of the task is missing.");
            return;
        }
        var row = await source.PlainTask();
        var created = row.With(task).With("board", Route<int>("id"));
        await Send.ResponseAsync(created, StatusCodes.Status201Created);
    }
}

public sealed class UpdateTaskRaw(DataSource source) : Endpoint<PlainObject>
{
    public override void Configure()
    {
        Put("/board/raw/{id:int:min(0)}/task");
        Group<Api>();
    }

    public override async Task HandleAsync(PlainObject body, CancellationToken ct)
    {
        if (TaskIn.FieldsOf(body) is not { } task)
        {
            ThrowError("A field of the task is missing.");
            return;
        }
        await source.SaveTask(task);
        await Send.NoContentAsync();
    }
}
