<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Restbench\Shared\DataSource;
use Restbench\Shared\Task;

/** The sprint board, its bodies arrays of plain values. */
final class IssueTrackerRawController
{
    public function __construct(private readonly DataSource $source)
    {
    }

    public function userinfo(int $id): JsonResponse
    {
        $user = $this->source->user();
        $user['sub'] .= "-{$id}";

        return response()->json($user);
    }

    public function sprint(int $id): JsonResponse
    {
        $board = $this->source->sprint();
        $board['sprint']['id'] = $id;

        return response()->json($board);
    }

    public function createTask(Request $request, int $id): JsonResponse
    {
        $sent = self::sent($request);

        return response()->json(['board' => $id, ...$this->source->task(), ...$sent], 201);
    }

    public function updateTask(Request $request): Response
    {
        $this->source->saveTask(self::sent($request));

        return response()->noContent();
    }

    /** @return array<string, mixed> */
    private static function sent(Request $request): array
    {
        return Task::fieldsOf($request->json()->all()) ?? abort(400, 'A field of the task is missing, or too large a number.');
    }
}
