<?php

declare(strict_types=1);

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

/** A task as the tracker keeps it. */
final class TaskResource extends JsonResource
{
    /** @return array<string, mixed> */
    public function toArray(Request $request): array
    {
        return [
            'id' => $this['id'],
            'board' => $this['board'],
            'summary' => $this['summary'],
            'description' => $this['description'],
            'issue_type' => $this['issue_type'],
            'priority' => $this['priority'],
            'labels' => $this['labels'],
            'components' => $this['components'],
            'author' => new PersonResource($this['author']),
            'assigned' => new PersonResource($this['assigned']),
            'project' => $this['project'],
            'status' => $this['status'],
            'activity' => ActivityResource::collection($this['activity']),
            'created_at' => $this['created_at'],
        ];
    }
}
