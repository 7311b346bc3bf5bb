"""Reads every manifest and fixture. It collects all mistakes instead of stopping at the first."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from restbench.catalog import consistency
from restbench.catalog.entry import Entry, Language, Suite
from restbench.catalog.manifests import (
    Awaited,
    AwaitedManifest,
    FrameworkManifest,
    LanguageManifest,
    Manifest,
    MovedManifest,
    Selections,
    SuiteManifest,
)
from restbench.errors import CatalogError
from restbench.system.repository import Repository
from restbench.system.text import did_you_mean, one_line

M = TypeVar("M", bound=Manifest)

NO_ENTRIES = ("shared", "template")
"""Folders of a language that are not entries: code that entries share, and the template of `restbench new`."""

LEFT_BEHIND = ("__pycache__", "node_modules", "target")
"""Folders that tools write into an entry and that git ignores.

They stay when git switches to a branch without the entry.
"""

AWAITED = "not-yet.toml"
"""The file under frameworks/ that lists the frameworks without an entry."""

MOVED = "moved.toml"
"""The file under frameworks/ that has the former names of entries, whose addresses lead to the present ones."""

SELECTIONS = "selections.toml"
"""The file under frameworks/ that names the entries that stand for all of them."""


@dataclass(frozen=True)
class Catalog:
    """All suites and entries that can be measured, and the mistakes that keep others out.

    `mistakes` has a line for each mistake. Its keys are an entry's id, "<language>/*", "fixtures/<suite>",
    "not-yet", "moved" and "selections". `awaited` has the frameworks without an entry, `moved` the former names of
    entries with their present ones, `selections` the entries that stand for all of them.
    """

    suites: dict[str, Suite]
    entries: dict[str, Entry] = field(default_factory=dict)
    mistakes: dict[str, list[str]] = field(default_factory=dict)
    awaited: list[Awaited] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    selections: Selections = field(default_factory=Selections)

    @property
    def ranked(self) -> list[Entry]:
        """The entries that are ranked: all but the reference."""
        return [e for e in self.entries.values() if e.language.manifest.ranked]

    @property
    def reference(self) -> Entry | None:
        """The entry that never changes, measured in every job, so that jobs on different machines can be compared."""
        return next((e for e in self.entries.values() if not e.language.manifest.ranked), None)

    def baseline_of(self, entry: Entry) -> Entry | None:
        """The baseline of the entry's language. The only entry of a language is its baseline.

        None where a language of several entries names none, or where the baseline has mistakes.
        """
        if name := entry.language.manifest.baseline:
            return self.entries.get(f"{entry.language.name}/{name}")
        return entry if [other for other in self.ranked if other.language == entry.language] == [entry] else None

    @property
    def baselines(self) -> list[Entry]:
        """The baseline of each language that has one."""
        return [entry for entry in self.ranked if self.baseline_of(entry) is entry]

    def former_names(self, entry: str) -> list[str]:
        """What an entry was called before."""
        return [old for old, new in self.moved.items() if new == entry]

    def check(self) -> "Catalog":
        """Returns this catalogue. Raises CatalogError, with one line for each mistake, when there are mistakes."""
        if self.mistakes:
            raise CatalogError([line for lines in self.mistakes.values() for line in lines])
        return self


class _Reader:
    """Reads manifests of one repository, and remembers each mistake as one line."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.mistakes: dict[str, list[str]] = {}

    def note(self, about: str, path: Path, mistakes: list[str]) -> None:
        if mistakes:
            lines = [one_line(f"{self.repository.relative(path)}: {mistake}") for mistake in mistakes]
            self.mistakes.setdefault(about, []).extend(lines)

    def manifest(self, about: str, path: Path, model: type[M]) -> M | None:
        """Returns the file as that model. Notes its mistakes and returns None when it has any."""
        try:
            return model.model_validate(tomllib.loads(path.read_text()))
        except FileNotFoundError:
            self.note(about, path, [f"is missing: write it, or remove the folder {path.parent.name}/"])
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.note(about, path, [f"is not TOML: {error}"])
        except ValidationError as error:
            self.note(about, path, consistency.explain(error, model))
        return None

    def named(self, about: str, path: Path, mistake: str | None) -> bool:
        """Notes a mistake in the name of the folder. Returns whether there is none."""
        self.note(about, path, [mistake] if mistake else [])
        return mistake is None

    def suite(self, folder: Path) -> Suite | None:
        about, path = f"fixtures/{folder.name}", folder / "suite.toml"
        if not self.named(about, path, consistency.folder_mistake(folder.name, taken=consistency.NO_SUITE)):
            return None
        manifest = self.manifest(about, path, SuiteManifest)
        if manifest is None:
            return None
        self.note(about, path, consistency.suite_mistakes(folder, manifest))
        return Suite(folder.name, folder, manifest)

    def language(self, folder: Path) -> Language | None:
        about, path = f"{folder.name}/*", folder / "language.toml"
        wrong = consistency.folder_mistake(folder.name, consistency.LONGEST_LANGUAGE, consistency.NO_LANGUAGE)
        if not self.named(about, path, wrong):
            return None
        manifest = self.manifest(about, path, LanguageManifest)
        if manifest is None:
            return None
        self.note(about, path, list(consistency.language_mistakes(path.parent, manifest)))
        return None if about in self.mistakes else Language(folder.name, folder, manifest)

    def coloured(self, languages: list[Language]) -> list[Language]:
        """Returns the languages with their colours in charts. Notes those that name the colour of another."""
        entries = {language.name: len(_entry_folders(language.folder)) for language in languages}
        found, clashes = consistency.coloured(languages, entries)
        for language in languages:
            wrong = [clashes[language.name]] if language.name in clashes else []
            self.note(f"{language.name}/*", language.folder / "language.toml", wrong)
        return found

    def entry(self, folder: Path, language: Language, suites: dict[str, Suite]) -> Entry | None:
        about, path = f"{language.name}/{folder.name}", folder / "framework.toml"
        if not self.named(about, path, consistency.folder_mistake(folder.name)):
            return None
        manifest = self.manifest(about, path, FrameworkManifest)
        if manifest is None:
            return None
        own = language.manifest.with_packages_of(manifest.package.partition(":")[0])
        self.note(about, path, list(consistency.framework_mistakes(folder, manifest, own, suites)))
        language = replace(language, manifest=own)
        return None if about in self.mistakes else Entry(folder.name, folder, language, manifest, suites)

    def awaited(self, path: Path, entries: list[Entry]) -> list[Awaited]:
        manifest = self.manifest(path.stem, path, AwaitedManifest) if path.is_file() else None
        here = {entry.title.casefold(): entry.id for entry in entries}
        for awaited in manifest.framework if manifest else []:
            if entry := here.get(awaited.title.casefold()):
                self.note(
                    path.stem, path, [f"framework: {awaited.title} has the entry {entry}; remove it from this list"]
                )
        return manifest.framework if manifest else []

    def moved(self, path: Path, entries: list[str]) -> dict[str, str]:
        """Reads the former names of entries. Notes those that are names of entries again, and leaves them out."""
        manifest = self.manifest(path.stem, path, MovedManifest) if path.is_file() else None
        moved = manifest.moved if manifest else {}
        taken = [f"moved: there is an entry {name} now; remove its line" for name in moved if name in entries]
        self.note(path.stem, path, taken)
        return {old: new for old, new in moved.items() if old not in entries}

    def selections(self, path: Path, entries: list[str], suites: Mapping[str, Suite]) -> Selections:
        """Reads the selections. Notes names that no entry has; an entry with mistakes has its name all the same.

        Notes names of tables that no suite can have, too.
        """
        manifest = self.manifest(path.stem, path, Selections) if path.is_file() else None
        if manifest is None:
            return Selections()
        known = {*entries, *self.mistakes}
        unknown = [name for name in manifest.names if name not in known and f"{name.split('/')[0]}/*" not in known]
        self.note(path.stem, path, [f"there is no entry {name}{did_you_mean(name, entries)}" for name in unknown])
        tables = []  # that the board can have
        for suite in suites.values():
            kinds = ["", "-raw", "-schema"] if suite.manifest.without_schema else [""]
            tables += [f"{suite.name}/{each.name}{kind}" for each in suite.scenarios if each.loaded for kind in kinds]
        strange = [place for place in [*manifest.readme.summary, *manifest.readme.remarks] if place not in tables]
        self.note(path.stem, path, [f"there is no table {place}{did_you_mean(place, tables)}" for place in strange])
        return manifest


def load_catalog(repository: Repository) -> Catalog:
    """Reads all suites and entries of the repository.

    Entries with mistakes and suites without a valid suite.toml are left out. `mistakes` has a line for each mistake.
    """
    reader = _Reader(repository)
    suites = {s.name: s for f in _folders(repository.fixtures) if (s := reader.suite(f))}
    entries: list[Entry] = []
    languages = [each for folder in _folders(repository.frameworks) if (each := reader.language(folder))]
    for language in reader.coloured(languages):
        folder = language.folder
        if f"{language.name}/*" in reader.mistakes:
            continue
        entries += [e for f in _entry_folders(folder) if (e := reader.entry(f, language, suites))]
        there, baseline = [f.name for f in _entry_folders(folder)], language.manifest.baseline
        if baseline is not None and baseline not in there:
            wrong = f"baseline: there is no entry {baseline}{did_you_mean(baseline, there)}"
            reader.note(f"{language.name}/*", folder / "language.toml", [wrong])
    for entry, clash in consistency.name_clashes(entries):
        reader.note(entry.id, entry.folder / "framework.toml", [clash])
    entries = [entry for entry in entries if entry.id not in reader.mistakes]
    awaited = reader.awaited(repository.frameworks / AWAITED, entries)
    ids = [entry.id for entry in entries]
    moved = reader.moved(repository.frameworks / MOVED, ids)
    selections = reader.selections(repository.frameworks / SELECTIONS, ids, suites)
    return Catalog(suites, dict(zip(ids, entries, strict=True)), reader.mistakes, awaited, moved, selections)


def _entry_folders(language: Path) -> list[Path]:
    return [folder for folder in _folders(language) if folder.name not in NO_ENTRIES]


def _folders(parent: Path) -> list[Path]:
    """The folders in a folder, sorted. Those that git ignores, and those without other files, are left out."""
    if not parent.is_dir():
        return []
    folders = (path for path in parent.iterdir() if path.is_dir() and not _is_ignored(path))
    return sorted(folder for folder in folders if _has_files(folder))


def _is_ignored(path: Path) -> bool:
    return path.name.startswith(".") or path.name in LEFT_BEHIND


def _has_files(folder: Path) -> bool:
    return any(path.is_file() or _has_files(path) for path in folder.iterdir() if not _is_ignored(path))


Titles = Callable[[str], str]
"""Turns the id of an entry, or the name of a cell, into the words of the board."""


def titles_of(catalog: Catalog) -> Titles:
    """Returns what turns language/entry, suite/scenario or suite/scenario/variant into the words of the board.

    What the catalogue does not have, such as an entry that was removed, keeps its name.
    """
    scenarios = {
        f"{suite.name}/{each.name}": each.title for suite in catalog.suites.values() for each in suite.scenarios
    }
    known = scenarios | {entry.id: entry.title for entry in catalog.entries.values()}

    def title(name: str) -> str:
        place, _, variant = name.rpartition("/") if name.count("/") > 1 else (name, "", "")
        return " · ".join(filter(None, [known.get(place, place), variant]))

    return title
