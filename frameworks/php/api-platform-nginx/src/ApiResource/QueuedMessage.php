<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Post;
use App\State\QueueProcessor;

/** A message of the queue that was handled. */
#[Post(uriTemplate: '/test', status: 200, deserialize: false, processor: QueueProcessor::class)]
final readonly class QueuedMessage
{
    public function __construct(public string $message, public string $note)
    {
    }
}
