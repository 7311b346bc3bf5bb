<?php

declare(strict_types=1);

namespace Restbench\Shared;

/** The business logic of the suite workload, the same in every entry. */
final class Work
{
    private const BCRYPT_COST = 10;

    public static function greeting(string $payload): string
    {
        return "Hello, {$payload}";
    }

    /** What a request of the scenario timed does. */
    public static function wait(): void
    {
        usleep(20_000);
    }

    public static function hashPassword(string $payload): string
    {
        return password_hash($payload, \PASSWORD_BCRYPT, ['cost' => self::BCRYPT_COST]);
    }

    /** Handles a message of the queue, which is waiting. Returns what was done. */
    public static function process(): string
    {
        $milliseconds = Settings::number('PROCESSING_MS', 0);
        usleep((int) (1000 * $milliseconds));

        return "handled for {$milliseconds} ms";
    }
}
