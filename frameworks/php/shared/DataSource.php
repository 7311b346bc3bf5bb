<?php

declare(strict_types=1);

namespace Restbench\Shared;

use Restbench\Shared\Model\Board;
use Restbench\Shared\Model\BoardTask;
use Restbench\Shared\Model\User;

/**
 * The emulated data source. It replaces a database, so that an app waits as real apps do.
 *
 * A process of PHP handles one request at a time. So it has one connection, and a fetch makes it wait. All processes of
 * PHP-FPM together are the process that the contract speaks of: they share the number of the last fetch, in APCu.
 * `start` draws the first number, and writes the rows into files of PHP, which opcache keeps (servers/rows.php).
 */
final class DataSource
{
    private const ROWS = 64;

    private readonly int $microseconds;
    private readonly int $firstNumber;
    private readonly string $rows;

    public function __construct()
    {
        $this->microseconds = (int) (1000 * Settings::number('POOL_LATENCY_MS', 1));
        $this->firstNumber = (int) getenv('FIRST_FETCH');
        $this->rows = getenv('ROWS');
    }

    /** @return array<string, mixed> */
    public function user(): array
    {
        [$user, $number] = $this->lend('plain/users');
        $user['picture'] = self::numbered($user['picture'], $number);

        return $user;
    }

    public function typedUser(): User
    {
        [$user, $number] = $this->lend('typed/users');
        $user->picture = self::numbered($user->picture, $number);

        return $user;
    }

    /** @return array<string, mixed> the sprint with its issues */
    public function sprint(): array
    {
        [$sprint, $number] = $this->lend('plain/sprints');
        $index = $number % \count($sprint['issues']);
        $text = $sprint['issues'][$index]['description_short'];
        $sprint['issues'][$index]['description_short'] = self::numbered($text, $number);

        return $sprint;
    }

    public function typedSprint(): Board
    {
        [$board, $number] = $this->lend('typed/sprints');
        $issue = $board->issues[$number % \count($board->issues)];
        $issue->descriptionShort = self::numbered($issue->descriptionShort, $number);

        return $board;
    }

    /** @return array<string, mixed> the fields of a new task that the tracker sets: its number, author, status and so on */
    public function task(): array
    {
        [$task, $number] = $this->lend('plain/tasks');
        $task['author']['picture'] = self::numbered($task['author']['picture'], $number);

        return $task;
    }

    public function typedTask(): BoardTask
    {
        [$task, $number] = $this->lend('typed/tasks');
        $task->author->picture = self::numbered($task->author->picture, $number);

        return $task;
    }

    /** Takes as long as a write would, and keeps nothing. */
    public function saveTask(mixed $task): void
    {
        $this->fetch();
    }

    /** @return array{mixed, int} a row, and the number of its fetch */
    private function lend(string $kind): array
    {
        $number = $this->fetch();

        return [require "{$this->rows}/{$kind}/".$number % self::ROWS.'.php', $number];
    }

    /** Waits for the source. Returns the number of the fetch. */
    private function fetch(): int
    {
        usleep($this->microseconds);

        return $this->firstNumber + apcu_inc('fetches');
    }

    /** The number stands in place of the last ten characters of a text, which are ASCII. */
    private static function numbered(string $text, int $number): string
    {
        return substr_replace($text, (string) $number, -10);
    }
}
