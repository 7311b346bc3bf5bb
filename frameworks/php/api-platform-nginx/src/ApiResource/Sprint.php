<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Get;
use App\State\SprintProvider;
use Restbench\Shared\Model\Board;

#[Get(
    uriTemplate: '/api/v1/sprint/typed/{id}',
    requirements: ['id' => '\d{1,10}'],
    output: Board::class,
    provider: SprintProvider::class,
)]
final class Sprint
{
    public int $id;
}
