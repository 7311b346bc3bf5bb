<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

/** A task as the board shows it. It may be assigned to nobody. */
final class Issue
{
    public function __construct(
        public int $id,
        public string $summary,
        #[SerializedName('description_short')]
        public string $descriptionShort,
        public int $index,
        #[SerializedName('status_id')]
        public int $statusId,
        #[SerializedName('story_points')]
        public int $storyPoints,
        public ?Person $assigned,
        #[SerializedName('modified_at')]
        public \DateTimeImmutable $modifiedAt,
    ) {
    }
}
