<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;
use Symfony\Component\Validator\Constraints as Assert;

/** The fields of a task that a client sends. */
final readonly class TaskIn
{
    /**
     * @param list<string> $labels
     * @param list<string> $components
     */
    public function __construct(
        public string $summary,
        public string $description,
        #[SerializedName('issue_type')]
        public string $issueType,
        public string $priority,
        #[Assert\Type('list')]
        #[Assert\All([new Assert\NotNull(), new Assert\Type('string')])]
        public array $labels,
        #[Assert\Type('list')]
        #[Assert\All([new Assert\NotNull(), new Assert\Type('string')])]
        public array $components,
    ) {
    }
}
