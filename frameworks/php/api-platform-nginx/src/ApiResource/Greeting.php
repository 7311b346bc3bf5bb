<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\Post;
use App\State\GreetingProcessor;
use App\State\PasswordProcessor;
use App\State\TimedGreetingProcessor;
use Restbench\Shared\Model\Message;

/** What comes back to a client that sends a message. */
#[Post(
    uriTemplate: '/test/simple/typed',
    status: 200,
    input: Message::class,
    output: Message::class,
    processor: GreetingProcessor::class,
)]
#[Post(
    uriTemplate: '/test/timed/typed',
    status: 200,
    input: Message::class,
    output: Message::class,
    processor: TimedGreetingProcessor::class,
)]
#[Post(
    uriTemplate: '/test/bcrypt',
    status: 200,
    deserialize: false,
    output: Message::class,
    processor: PasswordProcessor::class,
)]
final class Greeting
{
}
