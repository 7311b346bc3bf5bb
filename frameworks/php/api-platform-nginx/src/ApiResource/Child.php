<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\ApiProperty;

/** A part of a document. */
final readonly class Child
{
    public function __construct(
        #[ApiProperty(example: 'registry-001-0')]
        public string $id,
        #[ApiProperty(example: 'Birch Mill')]
        public ?string $name = null,
        #[ApiProperty(example: 100)]
        public ?int $number = null,
    ) {
    }

    public function anonymized(): self
    {
        return null !== $this->number && $this->number < 100 ? new self($this->id, $this->name, 0) : $this;
    }
}
