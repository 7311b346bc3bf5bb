<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;

/** Writes answers, as Slim's page about responses shows it. */
final class Answer
{
    public static function text(Response $response, string $text): Response
    {
        $response->getBody()->write($text);

        return $response->withHeader('Content-Type', 'text/plain; charset=utf-8');
    }

    /** @param array<mixed> $value */
    public static function json(Response $response, array $value): Response
    {
        $response->getBody()->write(json_encode($value, \JSON_THROW_ON_ERROR));

        return $response->withHeader('Content-Type', 'application/json');
    }
}
