<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\Response;

final class HelloController
{
    public function __invoke(): Response
    {
        return response('Hello World')->header('Content-Type', 'text/plain; charset=utf-8');
    }
}
