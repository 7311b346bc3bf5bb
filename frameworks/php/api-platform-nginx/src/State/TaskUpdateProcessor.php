<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use Restbench\Shared\DataSource;
use Restbench\Shared\Model\TaskIn;

/** @implements ProcessorInterface<TaskIn, null> */
final readonly class TaskUpdateProcessor implements ProcessorInterface
{
    public function __construct(private DataSource $source)
    {
    }

    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): null
    {
        $this->source->saveTask($data);

        return null;
    }
}
