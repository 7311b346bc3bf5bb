<?php

declare(strict_types=1);

namespace App\State;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;

/** Reads a body as a plain array. */
final class PlainBody
{
    public static function text(Request $request, string $key): string
    {
        $text = $request->toArray()[$key] ?? null;

        return \is_string($text) ? $text : throw new BadRequestHttpException("There is no text under the key {$key}.");
    }
}
