<?php

declare(strict_types=1);

namespace App\Controller;

use App\Model\Document;
use Nelmio\ApiDocBundle\Attribute\Model;
use OpenApi\Attributes as OA;
use Restbench\Shared\SolrClient;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Attribute\MapQueryParameter;
use Symfony\Component\HttpKernel\Exception\UnprocessableEntityHttpException;
use Symfony\Component\Routing\Attribute\Route;

/** Documents from Solr. OpenAPI describes the operations by their attributes and comments. */
#[Route(format: 'json')]
#[OA\Response(response: 503, description: 'Solr does not answer')]
final class RegistryController extends AbstractController
{
    public function __construct(private readonly SolrClient $solr)
    {
    }

    /** Documents of a type, as they are */
    #[Route('/json_serialization/typed', methods: ['GET'])]
    #[OA\QueryParameter(name: 'document_type', description: 'The type of the documents to return', example: 1)]
    #[OA\Response(
        response: 200,
        description: 'The documents',
        content: new OA\JsonContent(type: 'array', items: new OA\Items(ref: new Model(type: Document::class))),
    )]
    #[OA\Response(response: '4XX', description: 'No document type, or none that is one number of 32 bits')]
    public function jsonSerialization(
        Request $request,
        #[MapQueryParameter(options: ['min_range' => -2 ** 31, 'max_range' => 2 ** 31 - 1], validationFailedStatusCode: 422)]
        int $document_type,
    ): JsonResponse {
        // PHP keeps the last of several values.
        if (substr_count("&{$request->server->getString('QUERY_STRING')}", '&document_type=') > 1) {
            throw new UnprocessableEntityHttpException('There is more than one document_type.');
        }

        return $this->json($this->solr->documents($document_type, Document::class));
    }

    /** Documents with small numbers hidden */
    #[Route('/anonymization/typed', methods: ['GET'])]
    #[OA\Response(
        response: 200,
        description: 'The documents of type 1',
        content: new OA\JsonContent(type: 'array', items: new OA\Items(ref: new Model(type: Document::class))),
    )]
    public function anonymization(): JsonResponse
    {
        $documents = $this->solr->documents(1, Document::class);

        return $this->json(array_map(static fn (Document $document) => $document->anonymized(), $documents));
    }
}
