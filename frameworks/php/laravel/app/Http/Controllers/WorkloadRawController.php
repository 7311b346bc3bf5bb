<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Restbench\Shared\Work;

/** Business logic that takes its time, its bodies plain values. What has no variants is here too. */
final class WorkloadRawController
{
    public function simple(Request $request): JsonResponse
    {
        return response()->json(['payload' => Work::greeting(self::text($request, 'payload'))]);
    }

    public function timed(Request $request): JsonResponse
    {
        $payload = self::text($request, 'payload');
        Work::wait();

        return response()->json(['payload' => Work::greeting($payload)]);
    }

    public function bcrypt(Request $request): JsonResponse
    {
        return response()->json(['payload' => Work::hashPassword(self::text($request, 'payload'))]);
    }

    public function status(): Response
    {
        return self::plain('OK');
    }

    public function label(string $label): Response
    {
        return self::plain($label);
    }

    public function queue(Request $request): JsonResponse
    {
        $message = self::text($request, 'message');

        return response()->json(['message' => $message, 'note' => Work::process()]);
    }

    private static function plain(string $text): Response
    {
        return response($text)->header('Content-Type', 'text/plain; charset=utf-8');
    }

    private static function text(Request $request, string $key): string
    {
        $text = $request->json()->all()[$key] ?? null;

        return is_string($text) ? $text : abort(400, "There is no text under the key {$key}.");
    }
}
