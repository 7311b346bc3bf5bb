<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\ApiProperty;
use ApiPlatform\Metadata\GetCollection;
use ApiPlatform\Metadata\QueryParameter;
use ApiPlatform\OpenApi\Model\Operation;
use ApiPlatform\Validator\Exception\ValidationException;
use App\State\AnonymousDocumentsProvider;
use App\State\DocumentsProvider;
use Symfony\Component\Serializer\Attribute\SerializedName;
use Symfony\Component\Validator\Constraints as Assert;

/** A document of the registry. All fields but the first two may be missing. */
#[GetCollection(
    uriTemplate: '/json_serialization/typed',
    openapi: new Operation(summary: 'Documents of a type, as they are'),
    parameters: [
        'document_type' => new QueryParameter(
            schema: ['type' => 'integer', 'minimum' => -2 ** 31, 'maximum' => 2 ** 31 - 1, 'example' => 1],
            description: 'The type of the documents to return',
            required: true,
            castToNativeType: true,
        ),
    ],
    errors: [ValidationException::class, SolrUnavailable::class],
    provider: DocumentsProvider::class,
)]
#[GetCollection(
    uriTemplate: '/anonymization/typed',
    openapi: new Operation(summary: 'Documents with small numbers hidden'),
    errors: [SolrUnavailable::class],
    provider: AnonymousDocumentsProvider::class,
)]
final readonly class Document
{
    /**
     * @param list<string>|null $stringArray
     * @param list<int>|null    $intArray
     * @param list<Child>|null  $childObjects
     */
    public function __construct(
        #[ApiProperty(identifier: true, example: 'registry-001')]
        public string $id,
        #[ApiProperty(example: 1)]
        #[SerializedName('document_type')]
        public int $documentType,
        #[ApiProperty(example: ['Amber Quay', 'Łąka Höhe'])]
        #[SerializedName('string_array')]
        #[Assert\All(new Assert\Type('string'))]
        public ?array $stringArray = null,
        #[ApiProperty(example: [3, 1, 2])]
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
