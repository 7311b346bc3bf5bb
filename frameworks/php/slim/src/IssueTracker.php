<?php

declare(strict_types=1);

namespace App;

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Restbench\Shared\DataSource;
use Restbench\Shared\Task;
use Slim\Exception\HttpBadRequestException;

/** The sprint board, its bodies arrays of plain values. */
final class IssueTracker
{
    private readonly DataSource $source;

    public function __construct()
    {
        $this->source = new DataSource();
    }

    /** @param array{id: string} $arguments */
    public function userinfo(Request $request, Response $response, array $arguments): Response
    {
        $user = $this->source->user();
        $user['sub'] .= "-{$arguments['id']}";

        return Answer::json($response, $user);
    }

    /** @param array{id: string} $arguments */
    public function sprint(Request $request, Response $response, array $arguments): Response
    {
        $board = $this->source->sprint();
        $board['sprint']['id'] = (int) $arguments['id'];

        return Answer::json($response, $board);
    }

    /** @param array{id: string} $arguments */
    public function createTask(Request $request, Response $response, array $arguments): Response
    {
        $sent = self::sent($request);
        $task = ['board' => (int) $arguments['id'], ...$this->source->task(), ...$sent];

        return Answer::json($response, $task)->withStatus(201);
    }

    public function updateTask(Request $request, Response $response): Response
    {
        $this->source->saveTask(self::sent($request));

        return $response->withStatus(204);
    }

    /** @return array<string, mixed> */
    private static function sent(Request $request): array
    {
        return Task::fieldsOf($request->getParsedBody())
            ?? throw new HttpBadRequestException($request, 'A field of the task is missing, or too large a number.');
    }
}
