<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Restbench\Shared\Work;
use Slim\Exception\HttpBadRequestException;

/** Business logic that takes its time, its bodies plain values. */
final class Workload
{
    public function simple(Request $request, Response $response): Response
    {
        return Answer::json($response, ['payload' => Work::greeting(self::text($request, 'payload'))]);
    }

    public function timed(Request $request, Response $response): Response
    {
        $payload = self::text($request, 'payload');
        Work::wait();

        return Answer::json($response, ['payload' => Work::greeting($payload)]);
    }

    public function bcrypt(Request $request, Response $response): Response
    {
        return Answer::json($response, ['payload' => Work::hashPassword(self::text($request, 'payload'))]);
    }

    public function status(Request $request, Response $response): Response
    {
        return Answer::text($response, 'OK');
    }

    /** @param array{label: string} $arguments */
    public function label(Request $request, Response $response, array $arguments): Response
    {
        return Answer::text($response, $arguments['label']);
    }

    public function queue(Request $request, Response $response): Response
    {
        $message = self::text($request, 'message');

        return Answer::json($response, ['message' => $message, 'note' => Work::process()]);
    }

    private static function text(Request $request, string $key): string
    {
        $text = ((array) $request->getParsedBody())[$key] ?? null;

        return \is_string($text) ? $text : throw new HttpBadRequestException($request, "There is no text under the key $key.");
    }
}
