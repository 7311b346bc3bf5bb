<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Http\Requests\MessageRequest;
use App\Http\Resources\GreetingResource;
use Restbench\Shared\Work;

/** Business logic that takes its time, its bodies checked by rules and built by resources. */
final class WorkloadResourcesController
{
    public function simple(MessageRequest $request): GreetingResource
    {
        return self::greeting($request);
    }

    public function timed(MessageRequest $request): GreetingResource
    {
        Work::wait();

        return self::greeting($request);
    }

    private static function greeting(MessageRequest $request): GreetingResource
    {
        return new GreetingResource(['payload' => Work::greeting($request->validated('payload'))]);
    }
}
