<?php

declare(strict_types=1);

namespace App\Model;

use OpenApi\Attributes as OA;
use Symfony\Component\Serializer\Attribute\SerializedName;
use Symfony\Component\Validator\Constraints as Assert;

/** A document of the registry. All fields but the first two may be missing. */
final readonly class Document
{
    /**
     * @param list<string>|null $stringArray
     * @param list<int>|null    $intArray
     * @param list<Child>|null  $childObjects
     */
    public function __construct(
        #[OA\Property(example: 'registry-001')]
        public string $id,
        #[OA\Property(example: 1)]
        #[SerializedName('document_type')]
        public int $documentType,
        #[OA\Property(example: ['Amber Quay', 'Łąka Höhe'])]
        #[SerializedName('string_array')]
        #[Assert\All(new Assert\Type('string'))]
        public ?array $stringArray = null,
        #[OA\Property(example: [3, 1, 2])]
        #[SerializedName('int_array')]
        #[Assert\All(new Assert\Type('int'))]
        public ?array $intArray = null,
        #[SerializedName('child_objects')]
        public ?array $childObjects = null,
    ) {
    }

    /** Returns the document with the small numbers of its children hidden. */
    public function anonymized(): self
    {
        $children = $this->childObjects
            ? array_map(static fn (Child $child) => $child->anonymized(), $this->childObjects)
            : $this->childObjects;

        return new self($this->id, $this->documentType, $this->stringArray, $this->intArray, $children);
    }
}
