<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

final readonly class Person
{
    public function __construct(public int $id, public string $name, public string $picture)
    {
    }

    /** @param array<string, mixed> $row */
    public static function fromRow(array $row): self
    {
        return new self($row['id'], $row['name'], $row['picture']);
    }
}
