namespace Restbench.Shared;

/// <summary>Plain values by the name of their column: texts, numbers, booleans, lists and rows.</summary>
public class Row : Dictionary<string, object?>
{
    public Row() { }

    private Row(Row other) : base(other) { }

    /// <summary>Returns a copy with another value in a column. The other values of both are the same objects.</summary>
    public Row With(string column, object? value) => new(this) { [column] = value };

    /// <summary>Returns a copy with other values in the columns of those.</summary>
    public Row With(Row values)
    {
        var changed = new Row(this);
        foreach (var (column, value) in values)
        {
            changed[column] = value;
        }
        return changed;
    }
}
