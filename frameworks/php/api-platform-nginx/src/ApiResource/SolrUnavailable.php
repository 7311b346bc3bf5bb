<?php

declare(strict_types=1);

namespace App\ApiResource;

use ApiPlatform\Metadata\ErrorResource;
use ApiPlatform\Metadata\Exception\ProblemExceptionInterface;

/** Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error or with wrong types. */
#[ErrorResource]
final class SolrUnavailable extends \RuntimeException implements ProblemExceptionInterface
{
    public function getType(): string
    {
        return 'about:blank';
    }

    public function getTitle(): ?string
    {
        return 'Service Unavailable';
    }

    public function getStatus(): ?int
    {
        return 503;
    }

    public function getDetail(): ?string
    {
        return 'Solr does not answer';
    }

    public function getInstance(): ?string
    {
        return null;
    }
}
