<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use Restbench\Shared\Model\Message;
use Restbench\Shared\Work;

/** @implements ProcessorInterface<Message, Message> */
final readonly class TimedGreetingProcessor implements ProcessorInterface
{
    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): Message
    {
        Work::wait();

        return new Message(Work::greeting($data->payload));
    }
}
