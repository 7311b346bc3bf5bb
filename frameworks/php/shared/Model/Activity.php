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

    /** @param array<string, mixed> $row */
    public static function fromRow(array $row): self
    {
        return new self(
            $row['id'],
            Person::fromRow($row['author']),
            $row['kind'],
            $row['message'],
            new \DateTimeImmutable($row['created_at']),
        );
    }
}
