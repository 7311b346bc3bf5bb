using System.Text.Json;
using System.Text.Json.Serialization;

namespace Restbench.Shared;

/// <summary>How System.Text.Json reads and writes bodies.</summary>
public static class Json
{
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
