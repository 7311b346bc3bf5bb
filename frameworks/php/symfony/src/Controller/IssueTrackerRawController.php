<?php

declare(strict_types=1);

namespace App\Controller;

use Restbench\Shared\DataSource;
use Restbench\Shared\Task;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;
use Symfony\Component\Routing\Attribute\Route;

/** The sprint board, its bodies arrays of plain values. */
#[Route('/api/v1', requirements: ['id' => '\d{1,10}'], format: 'json')]
final class IssueTrackerRawController
{
    public function __construct(private readonly DataSource $source)
    {
    }

    #[Route('/userinfo/raw/{id}', methods: ['GET'])]
    public function userinfo(int $id): JsonResponse
    {
        $user = $this->source->user();
        $user['sub'] .= "-{$id}";

        return new JsonResponse($user);
    }

    #[Route('/sprint/raw/{id}', methods: ['GET'])]
    public function sprint(int $id): JsonResponse
    {
        $board = $this->source->sprint();
        $board['sprint']['id'] = $id;

        return new JsonResponse($board);
    }

    #[Route('/board/raw/{id}/task', methods: ['POST'])]
    public function createTask(int $id, Request $request): JsonResponse
    {
        $sent = self::sent($request);

        return new JsonResponse(['board' => $id, ...$this->source->task(), ...$sent], Response::HTTP_CREATED);
    }

    #[Route('/board/raw/{id}/task', methods: ['PUT'])]
    public function updateTask(Request $request): Response
    {
        $this->source->saveTask(self::sent($request));

        return new Response(status: Response::HTTP_NO_CONTENT);
    }

    /** @return array<string, mixed> */
    private static function sent(Request $request): array
    {
        return Task::fieldsOf($request->toArray()) ?? throw new BadRequestHttpException('A field of the task is missing, or too large a number.');
    }
}
