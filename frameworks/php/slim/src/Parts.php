<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\App;

/** Thirty routes that come before those that are asked for. */
final class Parts
{
    public static function register(App $app): void
    {
        for ($number = 0; $number < 10; ++$number) {
            foreach (['get', 'post', 'put'] as $method) {
                $app->$method("/route-$method-$number/{part:[0-9]{1,10}}", self::class);
            }
        }
    }

    /** @param array{part: string} $arguments */
    public function __invoke(Request $request, Response $response, array $arguments): Response
    {
        return Answer::json($response, ['part' => (int) $arguments['part']]);
    }
}
