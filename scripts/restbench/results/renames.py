"""Former names of entries and of their variants, and published files under the new names.

Manifests name them (`formerly`, `formerly_variants`). Files keep the names that they were written with; they are
translated when they are read. So a renamed entry keeps its figures and its history.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from restbench.catalog import Catalog
from restbench.results.history_lines import EntryLine
from restbench.results.models import BaselineRounds, CellResult, EntryResult


@dataclass(frozen=True)
class Renames:
    """`entries`: former id → id. `variants`: id → former variant → variant."""

    entries: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def entry(self, name: str) -> str:
        """The present id of an entry."""
        return self.entries.get(name, name)

    def former(self, entry: str) -> list[str]:
        """The former ids of an entry."""
        return [old for old, new in self.entries.items() if new == entry]

    def cell(self, entry: str, name: str) -> str:
        """The present name of a cell, suite/scenario or suite/scenario/variant. `entry` is the present id."""
        place, _, variant = name.rpartition("/")
        known = self.variants.get(entry, {})
        return f"{place}/{known[variant]}" if "/" in place and variant in known else name

    def result(self, result: EntryResult) -> EntryResult:
        """The result under the present names."""
        entry = self.entry(result.entry)
        if entry == result.entry and all(self._cell(entry, cell) is cell for cell in result.cells):
            return result
        return result.model_copy(update={"entry": entry, "cells": self._cells(entry, result)})

    def line(self, line: EntryLine) -> EntryLine:
        """The line of history under the present names."""
        entry = self.entry(line.entry)
        name, _, files = (line.baseline or "").partition(" ")
        baseline = f"{self.entry(name)} {files}" if line.baseline else None
        if (entry, baseline) == (line.entry, line.baseline) and entry not in self.variants:
            return line
        cells = {self.cell(entry, name): cell for name, cell in line.cells.items()}
        return line.model_copy(update={"entry": entry, "baseline": baseline, "cells": cells})

    def _cells(self, entry: str, result: EntryResult) -> list[CellResult]:
        """The cells under the present names. Where two have one name on a target, the newer one counts."""
        found: dict[object, CellResult] = {}
        for cell in sorted(result.cells, key=lambda cell: result.runs[cell.run].started):
            renamed = self._cell(entry, cell)
            found[result.runs[cell.run].target, renamed.key] = renamed
        return list(found.values())

    def _cell(self, entry: str, cell: CellResult) -> CellResult:
        variant, baseline = self._variant(entry, cell.variant), cell.baseline and self._baseline(cell.baseline)
        if (variant, baseline) == (cell.variant, cell.baseline):
            return cell
        return cell.model_copy(update={"variant": variant, "baseline": baseline})

    def _baseline(self, rounds: BaselineRounds) -> BaselineRounds:
        entry = self.entry(rounds.entry)
        return rounds.model_copy(update={"entry": entry, "variant": self._variant(entry, rounds.variant)})

    def _variant(self, entry: str, variant: str | None) -> str | None:
        return self.variants.get(entry, {}).get(variant, variant) if variant else None


NO_RENAMES = Renames()


def renames_of(catalog: Catalog) -> Renames:
    """What the manifests of the catalogue say."""
    entries = {old: entry.id for entry in catalog.entries.values() for old in entry.formerly}
    variants = {
        entry.id: {old: new for new, names in entry.manifest.formerly_variants.items() for old in names}
        for entry in catalog.entries.values()
        if entry.manifest.formerly_variants
    }
    return Renames(entries, variants)
