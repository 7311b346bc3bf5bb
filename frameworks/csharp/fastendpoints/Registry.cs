using FastEndpoints;
using Restbench.Shared;

namespace Restbench;

public sealed record DocumentsRequest
{
    [QueryParam(IsRequired = true), BindFrom("document_type")]
    public int DocumentType { get; init; }
}

/// <summary>Documents from Solr. The OpenAPI document describes the operations by their summaries.</summary>
public sealed class JsonSerialization(SolrClient solr) : Endpoint<DocumentsRequest, List<Document>>
{
    public override void Configure()
    {
        Get("/json_serialization/typed");
        Description(endpoint => endpoint.ProducesProblemDetails().ProducesProblemDetails(503));
        Summary(summary =>
        {
            summary.Summary = "Documents of a type, as they are";
            summary.RequestParam(request => request.DocumentType, "The type of the documents to return");
            summary.ExampleRequest = new() { DocumentType = 1 };
        });
    }

    public override async Task HandleAsync(DocumentsRequest request, CancellationToken ct) =>
        await Send.OkAsync(await solr.Documents<Document>(request.DocumentType));
}

public sealed class Anonymization(SolrClient solr) : EndpointWithoutRequest<List<Document>>
{
    public override void Configure()
    {
        Get("/anonymization/typed");
        Description(endpoint => endpoint.ProducesProblemDetails(503));
        Summary(summary => summary.Summary = "Documents with small numbers hidden");
    }

    public override async Task HandleAsync(CancellationToken ct)
    {
        var documents = await solr.Documents<Document>(1);
        await Send.OkAsync(documents.ConvertAll(document => document.Anonymized()));
    }
}
