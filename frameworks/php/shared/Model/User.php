<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

final readonly class User
{
    /** @param list<int> $groupIds */
    public function __construct(
        public string $sub,
        #[SerializedName('group_ids')]
        public array $groupIds,
        #[SerializedName('given_name')]
        public string $givenName,
        public string $name,
        public string $email,
        #[SerializedName('phone_number')]
        public string $phoneNumber,
        public Address $address,
        public string $picture,
    ) {
    }

    /**
     * Returns the user with that id, from a row of the data source.
     *
     * @param array<string, mixed> $row
     */
    public static function fromRow(array $row, int $id): self
    {
        return new self(
            "{$row['sub']}-{$id}",
            $row['group_ids'],
            $row['given_name'],
            $row['name'],
            $row['email'],
            $row['phone_number'],
            new Address($row['address']['formatted']),
            $row['picture'],
        );
    }
}
