<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProviderInterface;
use Restbench\Shared\DataSource;
use Restbench\Shared\Model\Board;

/** @implements ProviderInterface<Board> */
final readonly class SprintProvider implements ProviderInterface
{
    public function __construct(private DataSource $source)
    {
    }

    public function provide(Operation $operation, array $uriVariables = [], array $context = []): Board
    {
        $board = $this->source->typedSprint();
        $board->sprint->id = (int) $uriVariables['id'];

        return $board;
    }
}
