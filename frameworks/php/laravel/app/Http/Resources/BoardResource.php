<?php

declare(strict_types=1);

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

/** A sprint with its issues. */
final class BoardResource extends JsonResource
{
    /** @return array<string, mixed> */
    public function toArray(Request $request): array
    {
        return [
            'sprint' => [
                'id' => $this['sprint']['id'],
                'name' => $this['sprint']['name'],
                'start' => $this['sprint']['start'],
                'end' => $this['sprint']['end'],
            ],
            'issues' => IssueResource::collection($this['issues']),
        ];
    }
}
