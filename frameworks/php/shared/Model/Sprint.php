<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

/** An entry sets the id. */
final class Sprint
{
    public int $id;

    public function __construct(
        public string $name,
        public \DateTimeImmutable $start,
        public \DateTimeImmutable $end,
    ) {
    }
}
