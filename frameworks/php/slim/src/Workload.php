<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Restbench\Shared\Work;
use Slim\App;
use Slim\Exception\HttpBadRequestException;

/** Business logic that takes its time, its bodies plain values. */
final class Workload
{
    public static function register(App $app): void
    {
        $app->post('/test/simple/raw', static function (Request $request, Response $response) {
            return Answer::json($response, ['payload' => Work::greeting(self::text($request, 'payload'))]);
        });

        $app->post('/test/timed/raw', static function (Request $request, Response $response) {
            $payload = self::text($request, 'payload');
            Work::wait();

            return Answer::json($response, ['payload' => Work::greeting($payload)]);
        });

        $app->post('/test/bcrypt', static function (Request $request, Response $response) {
            return Answer::json($response, ['payload' => Work::hashPassword(self::text($request, 'payload'))]);
        });

        $app->get('/test/status', static fn (Request $request, Response $response) => Answer::text($response, 'OK'));

        $app->get('/test/labels/{label}', static function (Request $request, Response $response, array $arguments) {
            return Answer::text($response, $arguments['label']);
        });

        $app->post('/test', static function (Request $request, Response $response) {
            $message = self::text($request, 'message');

            return Answer::json($response, ['message' => $message, 'note' => Work::process()]);
        });
    }

    private static function text(Request $request, string $key): string
    {
        $text = ((array) $request->getParsedBody())[$key] ?? null;

        return \is_string($text) ? $text : throw new HttpBadRequestException($request, "There is no text under the key $key.");
    }
}
