<?php

declare(strict_types=1);

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

final class UserResource extends JsonResource
{
    /** @return array<string, mixed> */
    public function toArray(Request $request): array
    {
        return [
            'sub' => $this['sub'],
            'group_ids' => $this['group_ids'],
            'given_name' => $this['given_name'],
            'name' => $this['name'],
            'email' => $this['email'],
            'phone_number' => $this['phone_number'],
            'address' => ['formatted' => $this['address']['formatted']],
            'picture' => $this['picture'],
        ];
    }
}
