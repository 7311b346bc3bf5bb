<?php

declare(strict_types=1);

namespace App\Controller;

use Restbench\Shared\Model\Message;
use Restbench\Shared\Work;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpKernel\Attribute\MapRequestPayload;
use Symfony\Component\Routing\Attribute\Route;

/** Business logic that takes its time, its bodies classes. */
#[Route('/test', format: 'json')]
final class WorkloadTypedController extends AbstractController
{
    #[Route('/simple/typed', methods: ['POST'])]
    public function simple(#[MapRequestPayload] Message $sent): JsonResponse
    {
        return $this->json(new Message(Work::greeting($sent->payload)));
    }

    #[Route('/timed/typed', methods: ['POST'])]
    public function timed(#[MapRequestPayload] Message $sent): JsonResponse
    {
        Work::wait();

        return $this->json(new Message(Work::greeting($sent->payload)));
    }
}
