<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Post;
use App\State\GreetingProcessor;
use App\State\PasswordProcessor;
use App\State\TimedGreetingProcessor;

/** A text that a client sends, and what comes back to it. */
#[Post(uriTemplate: '/test/simple/typed', status: 200, processor: GreetingProcessor::class)]
#[Post(uriTemplate: '/test/timed/typed', status: 200, processor: TimedGreetingProcessor::class)]
#[Post(uriTemplate: '/test/bcrypt', status: 200, deserialize: false, processor: PasswordProcessor::class)]
final readonly class Greeting
{
    public function __construct(public string $payload)
    {
    }
}
