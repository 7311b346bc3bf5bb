<?php

declare(strict_types=1);

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

/** A task as the board shows it. It may be assigned to nobody. */
final class IssueResource extends JsonResource
{
    /** @return array<string, mixed> */
    public function toArray(Request $request): array
    {
        return [
            'id' => $this['id'],
            'summary' => $this['summary'],
            'description_short' => $this['description_short'],
            'index' => $this['index'],
            'status_id' => $this['status_id'],
            'story_points' => $this['story_points'],
            'assigned' => $this->when(isset($this['assigned']), fn () => new PersonResource($this['assigned'])),
            'modified_at' => $this['modified_at'],
        ];
    }
}
