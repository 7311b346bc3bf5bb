<?php

declare(strict_types=1);

namespace App\Controller;

use Symfony\Component\HttpFoundation\JsonResponse;

/** Answers the routes of config/routes/parts.php. */
final class PartController
{
    public function __invoke(int $part): JsonResponse
    {
        return new JsonResponse(['part' => $part]);
    }
}
