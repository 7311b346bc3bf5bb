<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use Restbench\Shared\Model\Message;
use Restbench\Shared\Work;

/** @implements ProcessorInterface<null, Message> */
final readonly class PasswordProcessor implements ProcessorInterface
{
    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): Message
    {
        return new Message(Work::hashPassword(PlainBody::text($context['request'], 'payload')));
    }
}
