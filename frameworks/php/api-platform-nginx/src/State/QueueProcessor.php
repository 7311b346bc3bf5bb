<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProcessorInterface;
use App\ApiResource\QueuedMessage;
use Restbench\Shared\Work;

/** @implements ProcessorInterface<null, QueuedMessage> */
final readonly class QueueProcessor implements ProcessorInterface
{
    public function process(mixed $data, Operation $operation, array $uriVariables = [], array $context = []): QueuedMessage
    {
        $message = PlainBody::text($context['request'], 'message');

        return new QueuedMessage($message, Work::process());
    }
}
