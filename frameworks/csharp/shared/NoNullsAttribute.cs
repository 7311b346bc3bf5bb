using System.Collections;
using System.ComponentModel.DataAnnotations;

namespace Restbench.Shared;

/// <summary>No element of a list may be null: declared types say so, and System.Text.Json does not check it.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class NoNullsAttribute() : ValidationAttribute("{0} must not have null in it.")
{
    public override bool IsValid(object? value) => value is not IEnumerable list || !list.Cast<object?>().Contains(null);
}
