using System.Text.Json;
using System.Text.Json.Serialization;

namespace Restbench.Shared;

/// <summary>A JSON object of a body, which is read into plain values.</summary>
[JsonConverter(typeof(PlainObjectConverter))]
public sealed class PlainObject : Row;

/// <summary>
/// Reads plain values. Without it System.Text.Json would make a JsonElement of each, whose text is decoded where it is
/// used: a text that ends within a character would fail there, when it is too late to tell the client.
/// </summary>
internal sealed class PlainObjectConverter : JsonConverter<PlainObject>
{
    public override PlainObject Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("The body is not an object.");
        }
        var read = new PlainObject();
        ReadFields(ref reader, read);
        return read;
    }

    public override void Write(Utf8JsonWriter writer, PlainObject value, JsonSerializerOptions options) =>
        JsonSerializer.Serialize<Row>(writer, value, options);

    private static void ReadFields(ref Utf8JsonReader reader, Row fields)
    {
        while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
        {
            var name = reader.GetString()!;
            reader.Read();
            if (!fields.TryAdd(name, ReadValue(ref reader)))
            {
                throw new JsonException($"{name} is there more than once.");
            }
        }
    }

    private static object? ReadValue(ref Utf8JsonReader reader)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject:
                var fields = new Row();
                ReadFields(ref reader, fields);
                return fields;
            case JsonTokenType.StartArray:
                var list = new List<object?>();
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                {
                    list.Add(ReadValue(ref reader));
                }
                return list;
            case JsonTokenType.String:
                return reader.GetString();
            case JsonTokenType.Number:
                return reader.TryGetInt32(out var integer) ? (object)integer : Finite(reader.GetDouble());
            case JsonTokenType.Null:
                return null;
            default:
                return reader.GetBoolean();
        }
    }

    private static double Finite(double number) =>
        double.IsFinite(number) ? number : throw new JsonException("A number is too large.");
}
