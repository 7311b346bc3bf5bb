using System.Text.Json;
using System.Text.Json.Nodes;

namespace Restbench.Shared;

internal static class Fixture
{
    /// <summary>Returns the rows of a file. If they do not fit the type, the app ends with a line that says where.</summary>
    public static T[] Read<T>(string file)
    {
        try
        {
            var content = File.ReadAllBytes(Path.Combine(Settings.Fixtures, "issue-tracker", file));
            var rows = JsonSerializer.Deserialize<T[]>(content, Json.Options)!;
            if (Lists(JsonNode.Parse(content)).FirstOrDefault(list => list.Contains(null)) is { } list)
            {
                throw new JsonException("a null in a list", list.GetPath(), null, null);
            }
            return rows;
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            var place = error is JsonException { Path: { } path } ? $"{path}: " : "";
            Console.Error.WriteLine($"{file}: {place}{error.Message}");
            Environment.Exit(1);
            throw;
        }
    }

    /// <summary>System.Text.Json takes a null for an element of any list.</summary>
    private static IEnumerable<JsonArray> Lists(JsonNode? node) =>
        node switch
        {
            JsonArray list => list.SelectMany(Lists).Prepend(list),
            JsonObject fields => fields.SelectMany(field => Lists(field.Value)),
            _ => [],
        };
}
