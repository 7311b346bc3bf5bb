using System.Text.Json;

namespace Restbench.Shared;

internal static class Fixture
{
    /// <summary>Returns the rows of a file. If they do not fit the type, the app ends with a line that says where.</summary>
    public static T[] Read<T>(string file)
    {
        try
        {
            var content = File.ReadAllBytes(Path.Combine(Settings.Fixtures, "issue-tracker", file));
            return JsonSerializer.Deserialize<T[]>(content, Json.Options)!;
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            var place = error is JsonException { Path: { } path } ? $"{path}: " : "";
            Console.Error.WriteLine($"{file}: {place}{error.Message}");
            Environment.Exit(1);
            throw;
        }
    }
}
