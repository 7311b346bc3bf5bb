namespace Restbench;

/// <summary>A document of the registry. All fields but the first two may be missing.</summary>
public sealed record Document
{
    /// <example>registry-001</example>
    public required string Id { get; init; }

    /// <example>1</example>
    public required int DocumentType { get; init; }

    /// <example>["Amber Quay", "Łąka Höhe"]</example>
    public List<string>? StringArray { get; init; }

    /// <example>[3, 1, 2]</example>
    public List<int>? IntArray { get; init; }

    public List<Child>? ChildObjects { get; init; }

    /// <summary>The document with the small numbers of its children hidden.</summary>
    public Document Anonymized() => this with { ChildObjects = ChildObjects?.ConvertAll(child => child.Anonymized()) };
}

/// <summary>A part of a document.</summary>
public sealed record Child
{
    /// <example>registry-001-0</example>
    public required string Id { get; init; }

    /// <example>Birch Mill</example>
    public string? Name { get; init; }

    /// <example>100</example>
    public int? Number { get; init; }

    internal Child Anonymized() => Number < 100 ? this with { Number = 0 } : this;
}
