<?php

declare(strict_types=1);

namespace App\Controller;

use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Routing\Attribute\Route;

final class HelloController
{
    #[Route('/hello_world', methods: ['GET'])]
    public function __invoke(): Response
    {
        return new Response('Hello World', headers: ['Content-Type' => 'text/plain; charset=utf-8']);
    }
}
