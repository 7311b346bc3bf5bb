<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

final class Person
{
    public function __construct(public int $id, public string $name, public string $picture)
    {
    }
}
