<?php

declare(strict_types=1);

namespace App\Controller;

use Restbench\Shared\DataSource;
use Restbench\Shared\Model\TaskIn;
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
        $user = $this->source->typedUser();
        $user->sub .= "-{$id}";

        return $this->json($user);
    }

    #[Route('/sprint/typed/{id}', methods: ['GET'])]
    public function sprint(int $id): JsonResponse
    {
        $board = $this->source->typedSprint();
        $board->sprint->id = $id;

        return $this->json($board);
    }

    #[Route('/board/typed/{id}/task', methods: ['POST'])]
    public function createTask(int $id, #[MapRequestPayload] TaskIn $sent): JsonResponse
    {
        $task = $this->source->typedTask();
        $task->board = $id;
        $task->summary = $sent->summary;
        $task->description = $sent->description;
        $task->issueType = $sent->issueType;
        $task->priority = $sent->priority;
        $task->labels = $sent->labels;
        $task->components = $sent->components;

        return $this->json($task, Response::HTTP_CREATED);
    }

    #[Route('/board/typed/{id}/task', methods: ['PUT'])]
    public function updateTask(#[MapRequestPayload] TaskIn $sent): Response
    {
        $this->source->saveTask($sent);

        return new Response(status: Response::HTTP_NO_CONTENT);
    }
}
