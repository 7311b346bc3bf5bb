<?php

declare(strict_types=1);

namespace Restbench\Shared;

use Symfony\Component\Serializer\Exception\ExceptionInterface as SerializerException;
use Symfony\Component\Serializer\Normalizer\DenormalizerInterface;
use Symfony\Component\Validator\Validator\ValidatorInterface;
use Symfony\Contracts\HttpClient\Exception\ExceptionInterface as HttpException;
use Symfony\Contracts\HttpClient\HttpClientInterface;

/** Asks Solr with Symfony's client. Its connections end with the request of PHP. */
final readonly class SolrClient
{
    private const FIELDS = 'id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]';

    public function __construct(
        private HttpClientInterface $http,
        private DenormalizerInterface $serializer,
        private ValidatorInterface $validator,
    ) {
    }

    /**
     * Returns the documents of a type, with their children nested.
     *
     * @template T of object
     *
     * @param class-string<T> $class
     *
     * @return list<T>
     *
     * @throws SolrUnavailableException
     */
    public function documents(int $documentType, string $class): array
    {
        // a bare minus sign is an operator of Solr's query language
        $filter = 'document_type:'.str_replace('-', '\-', (string) $documentType);
        $query = ['fl' => self::FIELDS, 'q' => '*:*', 'rows' => 100, 'fq' => $filter];
        try {
            $answer = $this->http->request('GET', Settings::solrUrl().'/select', ['query' => $query])->toArray();

            $documents = $this->serializer->denormalize($answer['response']['docs'] ?? null, $class.'[]');
        } catch (HttpException|SerializerException) {
            throw new SolrUnavailableException();
        }
        // The serializer checks the types of fields, but not what is in lists of texts or integers.
        if (\count($this->validator->validate($documents)) > 0) {
            throw new SolrUnavailableException();
        }

        return $documents;
    }
}
