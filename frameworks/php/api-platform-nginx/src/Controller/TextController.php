<?php

declare(strict_types=1);

namespace App\Controller;

use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Routing\Attribute\Route;

/** Plain texts, which are no resources. */
#[Route('/test')]
final class TextController
{
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

    private static function plain(string $text): Response
    {
        return new Response($text, headers: ['Content-Type' => 'text/plain; charset=utf-8']);
    }
}
