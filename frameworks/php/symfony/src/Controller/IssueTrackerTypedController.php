<?php

declare(strict_types=1);

namespace App\Controller;

use Restbench\Shared\DataSource;
use Restbench\Shared\Model\Board;
use Restbench\Shared\Model\BoardTask;
use Restbench\Shared\Model\TaskIn;
use Restbench\Shared\Model\User;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Attribute\MapRequestPayload;
use Symfony\Component\Routing\Attribute\Route;

/** The sprint board, its bodies classes. */
#[Route('/api/v1', requirements: ['id' => '\d{1,10}'], format: 'json')]
final class IssueTrackerTypedController extends AbstractController
{
    public function __construct(private readonly DataSource $source)
    {
    }

    #[Route('/userinfo/typed/{id}', methods: ['GET'])]
    public function userinfo(int $id): JsonResponse
    {
        return $this->json(User::fromRow($this->source->user(), $id));
    }

    #[Route('/sprint/typed/{id}', methods: ['GET'])]
    public function sprint(int $id): JsonResponse
    {
        return $this->json(Board::fromRow($this->source->sprint(), $id));
    }

    #[Route('/board/typed/{id}/task', methods: ['POST'])]
    public function createTask(int $id, #[MapRequestPayload] TaskIn $task): JsonResponse
    {
        return $this->json(BoardTask::fromRow($this->source->task(), $id, $task), Response::HTTP_CREATED);
    }

    #[Route('/board/typed/{id}/task', methods: ['PUT'])]
    public function updateTask(#[MapRequestPayload] TaskIn $task): Response
    {
        $this->source->saveTask($task);

        return new Response(status: Response::HTTP_NO_CONTENT);
    }
}
