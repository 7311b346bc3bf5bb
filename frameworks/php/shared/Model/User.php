<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

final class User
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
}
