using System.Text.Json;
using System.Text.Json.Serialization;

namespace Restbench.Shared;

/// <summary>How System.Text.Json reads and writes bodies, rows and the answers of Solr.</summary>
public static class Json
{
    internal static JsonSerializerOptions Options { get; } = new();

    static Json() => Configure(Options);

    /// <summary>Names in snake case. Each declared field has to be there once, with a value of its own type.</summary>
    public static void Configure(JsonSerializerOptions options)
    {
        options.PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower;
        options.DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull;
        options.NumberHandling = JsonNumberHandling.Strict;
        options.AllowDuplicateProperties = false;
        options.RespectNullableAnnotations = true;
        options.RespectRequiredConstructorParameters = true;
    }
}
