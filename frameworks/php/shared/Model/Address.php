<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

final readonly class Address
{
    public function __construct(public string $formatted)
    {
    }
}
