<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;

final class Hello
{
    public function __invoke(Request $request, Response $response): Response
    {
        return Answer::text($response, 'Hello World');
    }
}
