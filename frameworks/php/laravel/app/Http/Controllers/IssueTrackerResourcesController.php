<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Http\Requests\TaskRequest;
use App\Http\Resources\BoardResource;
use App\Http\Resources\TaskResource;
use App\Http\Resources\UserResource;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Response;
use Restbench\Shared\DataSource;

/** The sprint board, its bodies checked by rules and built by resources. */
final class IssueTrackerResourcesController
{
    public function __construct(private readonly DataSource $source)
    {
    }

    public function userinfo(int $id): UserResource
    {
        $user = $this->source->user();
        $user['sub'] .= "-{$id}";

        return new UserResource($user);
    }

    public function sprint(int $id): BoardResource
    {
        $board = $this->source->sprint();
        $board['sprint']['id'] = $id;

        return new BoardResource($board);
    }

    public function createTask(TaskRequest $request, int $id): JsonResponse
    {
        $task = ['board' => $id, ...$this->source->task(), ...$request->validated()];

        return (new TaskResource($task))->response()->setStatusCode(201);
    }

    public function updateTask(TaskRequest $request): Response
    {
        $this->source->saveTask($request->validated());

        return response()->noContent();
    }
}
