<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use App\ApiResource\Greeting;
use Restbench\Shared\Work;

/** @implements ProcessorInterface<null, Greeting> */
final readonly class PasswordProcessor implements ProcessorInterface
{
    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): Greeting
    {
        return new Greeting(Work::hashPassword(PlainBody::text($context['request'], 'payload')));
    }
}
