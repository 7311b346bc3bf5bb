<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Get;
use App\State\UserinfoProvider;
use Restbench\Shared\Model\User;

#[Get(
    uriTemplate: '/api/v1/userinfo/typed/{id}',
    requirements: ['id' => '\d{1,10}'],
    output: User::class,
    provider: UserinfoProvider::class,
)]
final class Userinfo
{
    public int $id;
}
