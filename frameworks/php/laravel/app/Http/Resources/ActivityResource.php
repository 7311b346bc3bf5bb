<?php

declare(strict_types=1);

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

final class ActivityResource extends JsonResource
{
    /** @return array<string, mixed> */
    public function toArray(Request $request): array
    {
        return [
            'id' => $this['id'],
            'author' => new PersonResource($this['author']),
            'kind' => $this['kind'],
            'message' => $this['message'],
            'created_at' => $this['created_at'],
        ];
    }
}
