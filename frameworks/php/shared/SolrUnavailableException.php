<?php

declare(strict_types=1);

namespace Restbench\Shared;

use Symfony\Component\HttpKernel\Attribute\WithHttpStatus;

/** Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error or with wrong types. */
#[WithHttpStatus(503)]
final class SolrUnavailableException extends \RuntimeException
{
    public function __construct()
    {
        parent::__construct('Solr does not answer');
    }
}
