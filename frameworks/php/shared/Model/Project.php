<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

final readonly class Project
{
    public function __construct(public int $id, public string $key, public string $name)
    {
    }
}
