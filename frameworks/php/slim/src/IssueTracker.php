<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Restbench\Shared\DataSource;
use Restbench\Shared\Task;
use Slim\App;
use Slim\Exception\HttpBadRequestException;

/** The sprint board, its bodies arrays of plain values. */
final class IssueTracker
{
    private const ID = '{id:[0-9]{1,10}}';

    public static function register(App $app): void
    {
        $app->get('/api/v1/userinfo/raw/'.self::ID, static function (Request $request, Response $response, array $arguments) {
            $user = (new DataSource())->user();
            $user['sub'] .= "-{$arguments['id']}";

            return Answer::json($response, $user);
        });

        $app->get('/api/v1/sprint/raw/'.self::ID, static function (Request $request, Response $response, array $arguments) {
            $board = (new DataSource())->sprint();
            $board['sprint']['id'] = (int) $arguments['id'];

            return Answer::json($response, $board);
        });

        $app->post('/api/v1/board/raw/'.self::ID.'/task', static function (Request $request, Response $response, array $arguments) {
            $sent = self::sent($request);
            $task = ['board' => (int) $arguments['id'], ...(new DataSource())->task(), ...$sent];

            return Answer::json($response, $task)->withStatus(201);
        });

        $app->put('/api/v1/board/raw/'.self::ID.'/task', static function (Request $request, Response $response) {
            (new DataSource())->saveTask(self::sent($request));

            return $response->withStatus(204);
        });
    }

    /** @return array<string, mixed> */
    private static function sent(Request $request): array
    {
        return Task::fieldsOf($request->getParsedBody())
            ?? throw new HttpBadRequestException($request, 'A field of the task is missing, or too large a number.');
    }
}
