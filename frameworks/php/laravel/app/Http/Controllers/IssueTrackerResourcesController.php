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

    public function userinfo(): UserResource
    {
        return new UserResource($this->source->user());
    }

    public function sprint(): BoardResource
    {
        return new BoardResource($this->source->sprint());
    }

    public function createTask(TaskRequest $request): JsonResponse
    {
        $task = [...$this->source->task(), ...$request->validated()];

        return (new TaskResource($task))->response()->setStatusCode(201);
    }

    public function updateTask(TaskRequest $request): Response
    {
        $this->source->saveTask($request->validated());

        return response()->noContent();
    }
}
