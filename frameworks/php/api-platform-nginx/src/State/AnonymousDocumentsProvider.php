<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProviderInterface;
use App\ApiResource\Document;

/** @implements ProviderInterface<Document> */
final readonly class AnonymousDocumentsProvider implements ProviderInterface
{
    public function __construct(private DocumentsProvider $provider)
    {
    }

    /** @return list<Document> */
    public function provide(Operation $operation, array $uriVariables = [], array $context = []): array
    {
        return array_map(static fn (Document $document) => $document->anonymized(), $this->provider->documents(1));
    }
}
