<?php

declare(strict_types=1);

namespace Restbench\Shared\Model;

use Symfony\Component\Serializer\Attribute\SerializedName;

/** A task as the tracker keeps it. */
final readonly class BoardTask
{
    /**
     * @param list<string>   $labels
     * @param list<string>   $components
     * @param list<Activity> $activity
     */
    public function __construct(
        public int $id,
        public int $board,
        public string $summary,
        public string $description,
        #[SerializedName('issue_type')]
        public string $issueType,
        public string $priority,
        public array $labels,
        public array $components,
        public Person $author,
        public Person $assigned,
        public Project $project,
        public Status $status,
        public array $activity,
        #[SerializedName('created_at')]
        public \DateTimeImmutable $createdAt,
    ) {
    }

    /**
     * Returns the task that a client sent to a board, with a row of the data source.
     *
     * @param array<string, mixed> $row
     */
    public static function fromRow(array $row, int $board, TaskIn $sent): self
    {
        ['project' => $project, 'status' => $status] = $row;

        return new self(
            $row['id'],
            $board,
            $sent->summary,
            $sent->description,
            $sent->issueType,
            $sent->priority,
            $sent->labels,
            $sent->components,
            Person::fromRow($row['author']),
            Person::fromRow($row['assigned']),
            new Project($project['id'], $project['key'], $project['name']),
            new Status($status['id'], $status['name'], $status['category']),
            array_map(Activity::fromRow(...), $row['activity']),
            new \DateTimeImmutable($row['created_at']),
        );
    }
}
