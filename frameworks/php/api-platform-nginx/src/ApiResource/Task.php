<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Post;
use ApiPlatform\Metadata\Put;
use App\State\TaskProcessor;
use App\State\TaskUpdateProcessor;
use Restbench\Shared\Model\BoardTask;
use Restbench\Shared\Model\TaskIn;

/** A task on the board with that id. */
#[Post(
    uriTemplate: '/api/v1/board/typed/{id}/task',
    requirements: ['id' => '\d{1,10}'],
    input: TaskIn::class,
    output: BoardTask::class,
    read: false,
    processor: TaskProcessor::class,
)]
#[Put(
    uriTemplate: '/api/v1/board/typed/{id}/task',
    requirements: ['id' => '\d{1,10}'],
    input: TaskIn::class,
    output: false,
    status: 204,
    read: false,
    processor: TaskUpdateProcessor::class,
)]
final class Task
{
    public int $id;
}
