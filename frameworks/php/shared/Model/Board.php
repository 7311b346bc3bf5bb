<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

/** A sprint with its issues. */
final readonly class Board
{
    /** @param list<Issue> $issues */
    public function __construct(public Sprint $sprint, public array $issues)
    {
    }

    /**
     * Returns the board of the sprint with that id, from a row of the data source.
     *
     * @param array<string, mixed> $row
     */
    public static function fromRow(array $row, int $sprintId): self
    {
        ['name' => $name, 'start' => $start, 'end' => $end] = $row['sprint'];

        return new self(
            new Sprint($sprintId, $name, new \DateTimeImmutable($start), new \DateTimeImmutable($end)),
            array_map(Issue::fromRow(...), $row['issues']),
        );
    }
}
