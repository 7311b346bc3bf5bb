<?php

declare(strict_types=1);

namespace Restbench\Shared;

/**
 * The emulated data source. It replaces a database, so that an app waits as real apps do.
 *
 * A process of PHP handles one request at a time. So it has one connection, and a fetch makes it wait. All processes of
 * PHP-FPM together are the process that the contract speaks of: they share the number of the last fetch, in APCu.
 * `start` draws the first number, and writes the rows into a file of constants, which opcache keeps.
 */
final class DataSource
{
    private readonly int $microseconds;
    private readonly int $firstNumber;

    /** @var array{user: array<string, mixed>, sprint: array<string, mixed>, task: array<string, mixed>} */
    private readonly array $rows;

    public function __construct()
    {
        $this->microseconds = (int) (1000 * Settings::number('POOL_LATENCY_MS', 1));
        $this->firstNumber = (int) getenv('FIRST_FETCH');
        $this->rows = require getenv('ROWS');
    }

    /** @return array<string, mixed> */
    public function user(): array
    {
        $user = $this->rows['user'];
        $user['picture'] = self::numbered($user['picture'], $this->fetch());

        return $user;
    }

    /** @return array<string, mixed> the sprint with its issues */
    public function sprint(): array
    {
        $number = $this->fetch();
        $sprint = $this->rows['sprint'];
        $index = $number % \count($sprint['issues']);
        $text = $sprint['issues'][$index]['description_short'];
        $sprint['issues'][$index]['description_short'] = self::numbered($text, $number);

        return $sprint;
    }

    /** @return array<string, mixed> the fields of a new task that the tracker sets: its number, author, status and so on */
    public function task(): array
    {
        $task = $this->rows['task'];
        $task['author']['picture'] = self::numbered($task['author']['picture'], $this->fetch());

        return $task;
    }

    /** Takes as long as a write would, and keeps nothing. */
    public function saveTask(mixed $task): void
    {
        $this->fetch();
    }

    /** Waits for the source. Returns the number of the fetch. */
    private function fetch(): int
    {
        usleep($this->microseconds);

        return $this->firstNumber + apcu_inc('fetches');
    }

    /** The number stands in place of the last ten characters of a text. */
    private static function numbered(string $text, int $number): string
    {
        return mb_substr($text, 0, -10).$number;
    }
}
