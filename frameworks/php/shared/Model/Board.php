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
}
