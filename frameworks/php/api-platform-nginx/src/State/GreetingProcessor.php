<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use App\ApiResource\Greeting;
use Restbench\Shared\Work;

/** @implements ProcessorInterface<Greeting, Greeting> */
final readonly class GreetingProcessor implements ProcessorInterface
{
    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): Greeting
    {
        return new Greeting(Work::greeting($data->payload));
    }
}
