<?php

declare(strict_types=1);

namespace App\Http\Requests;

use Illuminate\Foundation\Http\FormRequest;

final class MessageRequest extends FormRequest
{
    /** @return array<string, list<string>> */
    public function rules(): array
    {
        // `required` would refuse an empty text
        return ['payload' => ['present', 'string']];
    }
}
