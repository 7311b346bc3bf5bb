<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;

final class PartController
{
    public function __invoke(int $part): JsonResponse
    {
        return response()->json(['part' => $part]);
    }
}
