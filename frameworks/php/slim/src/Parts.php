<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;

final class Parts
{
    /** @param array{part: string} $arguments */
    public function __invoke(Request $request, Response $response, array $arguments): Response
    {
        return Answer::json($response, ['part' => (int) $arguments['part']]);
    }
}
