<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProviderInterface;
use Restbench\Shared\DataSource;
use Restbench\Shared\Model\User;

/** @implements ProviderInterface<User> */
final readonly class UserinfoProvider implements ProviderInterface
{
    public function __construct(private DataSource $source)
    {
    }

    public function provide(Operation $operation, array $uriVariables = [], array $context = []): User
    {
        $user = $this->source->typedUser();
        $user->sub .= "-{$uriVariables['id']}";

        return $user;
    }
}
