<?php

declare(strict_types=1);

namespace App\Http\Requests;

use Illuminate\Foundation\Http\FormRequest;

final class TaskRequest extends FormRequest
{
    /** @return array<string, list<string>> */
    public function rules(): array
    {
        // `required` would refuse an empty text
        return [
            'summary' => ['present', 'string'],
            'description' => ['present', 'string'],
            'issue_type' => ['present', 'string'],
            'priority' => ['present', 'string'],
            'labels' => ['present', 'list'],
            'labels.*' => ['string'],
            'components' => ['present', 'list'],
            'components.*' => ['string'],
        ];
    }
}
