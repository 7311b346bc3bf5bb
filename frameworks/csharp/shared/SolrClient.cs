using System.Net.Http.Json;
using System.Text.Json;

namespace Restbench.Shared;

/// <summary>A client of Solr. Connections are pooled and kept alive by the handler that IHttpClientFactory gives it.</summary>
public sealed class SolrClient(HttpClient http)
{
    private const string Fields =
        "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]";

    private static readonly string Select =
        $"{Settings.SolrUrl}/select?fl={Uri.EscapeDataString(Fields)}&q={Uri.EscapeDataString("*:*")}&rows=100&fq=";

    /// <summary>An app has 2 s to say that Solr does not answer. This is shorter.</summary>
    public static void Configure(HttpClient http) => http.Timeout = TimeSpan.FromSeconds(1.5);

    /// <summary>Returns the documents of a type, with their children nested. Throws SolrUnavailableException.</summary>
    public async Task<List<T>> Documents<T>(int documentType)
    {
        // a bare minus sign is an operator of Solr's query language
        var filter = Uri.EscapeDataString($"document_type:{documentType}".Replace("-", @"\-"));
        try
        {
            var answer = await http.GetFromJsonAsync<Answer<T>>(Select + filter, Json.Options);
            return answer!.Response.Docs;
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException or JsonException)
        {
            throw new SolrUnavailableException(error);
        }
    }

    private sealed record Answer<T>(Found<T> Response);

    private sealed record Found<T>(List<T> Docs);
}

/// <summary>Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error.</summary>
public sealed class SolrUnavailableException(Exception cause) : Exception("Solr does not answer", cause);
