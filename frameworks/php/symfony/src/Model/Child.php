<?php

declare(strict_types=1);

namespace App\Model;

use OpenApi\Attributes as OA;

/** A part of a document. */
final readonly class Child
{
    public function __construct(
        #[OA\Property(example: 'registry-001-0')]
        public string $id,
        #[OA\Property(example: 'Birch Mill')]
        public ?string $name = null,
        #[OA\Property(example: 100)]
        public ?int $number = null,
    ) {
    }

    public function anonymized(): self
    {
        return null !== $this->number && $this->number < 100 ? new self($this->id, $this->name, 0) : $this;
    }
}
