<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

final readonly class Activity
{
    public function __construct(
        public int $id,
        public Person $author,
        public string $kind,
        public string $message,
        #[SerializedName('created_at')]
        public \DateTimeImmutable $createdAt,
    ) {
    }
}
