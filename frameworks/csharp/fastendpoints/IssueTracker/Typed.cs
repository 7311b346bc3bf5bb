using FastEndpoints;
using FluentValidation;
using Restbench.Shared;

namespace Restbench.IssueTracker;

/// <summary>The number of a user or of a sprint.</summary>
public sealed record ById(int Id);

/// <summary>The sprint board, its bodies records.</summary>
public sealed class UserInfoTyped(DataSource source) : Endpoint<ById, User>
{
    public override void Configure()
    {
        Get("/userinfo/typed/{id:int:min(0)}");
        Group<Api>();
    }

    public override async Task HandleAsync(ById request, CancellationToken ct)
    {
        var user = await source.User();
        await Send.OkAsync(user with { Sub = $"{user.Sub}-{request.Id}" });
    }
}

public sealed class SprintTyped(DataSource source) : Endpoint<ById, Board>
{
    public override void Configure()
    {
        Get("/sprint/typed/{id:int:min(0)}");
        Group<Api>();
    }

    public override async Task HandleAsync(ById request, CancellationToken ct)
    {
        var board = await source.Sprint();
        await Send.OkAsync(board with { Sprint = board.Sprint with { Id = request.Id } });
    }
}

/// <summary>A task that a client sends to a board.</summary>
public sealed class TaskRequest
{
    [RouteParam]
    public int Id { get; set; }

    [FromBody]
    public TaskIn Task { get; set; } = null!;
}

public sealed class TaskValidator : Validator<TaskRequest>
{
    public TaskValidator()
    {
        RuleFor(request => request.Task).NotNull();
    }
}

public sealed class CreateTaskTyped(DataSource source) : Endpoint<TaskRequest, BoardTask>
{
    public override void Configure()
    {
        Post("/board/typed/{id:int:min(0)}/task");
        Group<Api>();
    }

    public override async Task HandleAsync(TaskRequest request, CancellationToken ct)
    {
        var task = await source.Task();
        await Send.ResponseAsync(task.With(request.Id, request.Task), StatusCodes.Status201Created);
    }
}

public sealed class UpdateTaskTyped(DataSource source) : Endpoint<TaskRequest>
{
    public override void Configure()
    {
        Put("/board/typed/{id:int:min(0)}/task");
        Group<Api>();
    }

    public override async Task HandleAsync(TaskRequest request, CancellationToken ct)
    {
        await source.SaveTask(request.Task);
        await Send.NoContentAsync();
    }
}
