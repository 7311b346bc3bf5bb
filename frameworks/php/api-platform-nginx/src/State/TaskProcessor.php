<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use Restbench\Shared\DataSource;
use Restbench\Shared\Model\BoardTask;
use Restbench\Shared\Model\TaskIn;

/** @implements ProcessorInterface<TaskIn, BoardTask> */
final readonly class TaskProcessor implements ProcessorInterface
{
    public function __construct(private DataSource $source)
    {
    }

    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): BoardTask
    {
        $task = $this->source->typedTask();
        $task->board = (int) $uriVariables['id'];
        $task->summary = $data->summary;
        $task->description = $data->description;
        $task->issueType = $data->issueType;
        $task->priority = $data->priority;
        $task->labels = $data->labels;
        $task->components = $data->components;

        return $task;
    }
}
