<?php

declare(strict_types=1);

namespace App\Controller;

use Restbench\Shared\Work;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;
use Symfony\Component\Routing\Attribute\Route;

/** Business logic that takes its time, its bodies plain values. What has no variants is here too. */
#[Route('/test', format: 'json')]
final class WorkloadRawController
{
    #[Route('/simple/raw', methods: ['POST'])]
    public function simple(Request $request): JsonResponse
    {
        return new JsonResponse(['payload' => Work::greeting(self::text($request, 'payload'))]);
    }

    #[Route('/timed/raw', methods: ['POST'])]
    public function timed(Request $request): JsonResponse
    {
        $payload = self::text($request, 'payload');
        Work::wait();

        return new JsonResponse(['payload' => Work::greeting($payload)]);
    }

    #[Route('/bcrypt', methods: ['POST'])]
    public function bcrypt(Request $request): JsonResponse
    {
        return new JsonResponse(['payload' => Work::hashPassword(self::text($request, 'payload'))]);
    }

    #[Route('/status', methods: ['GET'])]
    public function status(): Response
    {
        return self::plain('OK');
    }

    #[Route('/labels/{label}', methods: ['GET'])]
    public function label(string $label): Response
    {
        return self::plain($label);
    }

    #[Route('', methods: ['POST'])]
    public function queue(Request $request): JsonResponse
    {
        $message = self::text($request, 'message');

        return new JsonResponse(['message' => $message, 'note' => Work::process()]);
    }

    private static function plain(string $text): Response
    {
        return new Response($text, headers: ['Content-Type' => 'text/plain; charset=utf-8']);
    }

    private static function text(Request $request, string $key): string
    {
        $text = $request->toArray()[$key] ?? null;

        return \is_string($text) ? $text : throw new BadRequestHttpException("There is no text under the key {$key}.");
    }
}
