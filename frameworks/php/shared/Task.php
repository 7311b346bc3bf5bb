<?php

declare(strict_types=1);

namespace Restbench\Shared;

/** A task as a client sends it, with plain values. */
final class Task
{
    private const FIELDS = [
        'summary' => true,
        'description' => true,
        'issue_type' => true,
        'priority' => true,
        'labels' => true,
        'components' => true,
    ];

    /**
     * Returns the fields of a task out of a body. Returns null where one of them is missing, or holds a number that is too
     * large: PHP reads it as infinite, and cannot write it as JSON.
     *
     * @return array<string, mixed>|null
     */
    public static function fieldsOf(mixed $body): ?array
    {
        $task = \is_array($body) ? array_intersect_key($body, self::FIELDS) : [];
        $writable = \count($task) === \count(self::FIELDS);
        array_walk_recursive($task, static function (mixed $value) use (&$writable): void {
            $writable = $writable && (!\is_float($value) || is_finite($value));
        });

        return $writable ? $task : null;
    }
}
