<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

/** A task as the tracker keeps it. An entry sets the board, and the fields that a client sent. */
final class BoardTask
{
    public int $board;
    public string $summary;
    public string $description;
    #[SerializedName('issue_type')]
    public string $issueType;
    public string $priority;
    /** @var list<string> */
    public array $labels;
    /** @var list<string> */
    public array $components;

    /** @param list<Activity> $activity */
    public function __construct(
        public int $id,
        public Person $author,
        public Person $assigned,
        public Project $project,
        public Status $status,
        public array $activity,
        #[SerializedName('created_at')]
        public \DateTimeImmutable $createdAt,
    ) {
    }
}
