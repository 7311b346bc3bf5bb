<?php

declare(strict_types=1);

namespace App\State;

use ApiPlatform\Metadata\Operation;
use ApiPlatform\State\ProviderInterface;
use App\ApiResource\Document;
use App\ApiResource\SolrUnavailable;
use Restbench\Shared\SolrClient;
use Restbench\Shared\SolrUnavailableException;
use Symfony\Component\HttpKernel\Exception\UnprocessableEntityHttpException;

/** @implements ProviderInterface<Document> */
final readonly class DocumentsProvider implements ProviderInterface
{
    public function __construct(private SolrClient $solr)
    {
    }

    /** @return list<Document> */
    public function provide(Operation $operation, array $uriVariables = [], array $context = []): array
    {
        // PHP keeps the last of several values.
        if (substr_count("&{$context['request']->server->getString('QUERY_STRING')}", '&document_type=') > 1) {
            throw new UnprocessableEntityHttpException('There is more than one document_type.');
        }

        return $this->documents($operation->getParameters()->get('document_type')->getValue());
    }

    /** @return list<Document> */
    public function documents(int $documentType): array
    {
        try {
            return $this->solr->documents($documentType, Document::class);
        } catch (SolrUnavailableException) {
            throw new SolrUnavailable();
        }
    }
}
