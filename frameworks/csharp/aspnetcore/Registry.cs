using Restbench.Shared;

namespace Restbench;

/// <summary>Documents from Solr. OpenAPI describes the operations by their comments.</summary>
public static class Registry
{
    public static void MapRegistry(this IEndpointRouteBuilder app)
    {
        app.MapGet("/json_serialization/typed", JsonSerialization)
            .ProducesProblem(StatusCodes.Status400BadRequest)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable);

        app.MapGet("/anonymization/typed", Anonymization)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable);
    }

    /// <summary>Documents of a type, as they are</summary>
    /// <param name="document_type" example="1">The type of the documents to return</param>
    /// <param name="solr"></param>
    public static async Task<List<Document>> JsonSerialization(int document_type, SolrClient solr) =>
        await solr.Documents<Document>(document_type);

    /// <summary>Documents with small numbers hidden</summary>
    public static async Task<List<Document>> Anonymization(SolrClient solr)
    {
        var documents = await solr.Documents<Document>(1);
        return documents.ConvertAll(document => document.Anonymized());
    }
}
