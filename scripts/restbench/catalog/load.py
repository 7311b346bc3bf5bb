"""Reads every manifest and fixture. It collects all mistakes instead of stopping at the first."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from restbench.catalog import consistency
from restbench.catalog.entry import Entry, Language, Suite
from restbench.catalog.folders import MANIFEST, NO_ENTRIES, copied, folder_named, is_ignored
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
from restbench.errors import CatalogError, UsageError
from restbench.system.repository import Repository
from restbench.system.text import did_you_mean, one_line

M = TypeVar("M", bound=Manifest)

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
            return model.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
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

    def entry(
        self, folder: Path, language: Language, suites: dict[str, Suite], origin: Path | None = None
    ) -> Entry | None:
        """Reads an entry. `origin`: the folder that `folder` is a copy of."""
        about, path = f"{language.name}/{folder.name}", (origin or folder) / MANIFEST
        if not self.named(about, path, consistency.folder_mistake(folder.name)):
            return None
        manifest = self.manifest(about, path, FrameworkManifest)
        if manifest is None:
            return None
        own = language.manifest.with_packages_of(manifest.package.partition(":")[0])
        mistakes = list(consistency.framework_mistakes(folder, manifest, own, suites))
        self.note(
            about, path, [line.replace(f"FRAMEWORK={about}", f"FRAMEWORK={origin or about}") for line in mistakes]
        )
        if about in self.mistakes:
            return None
        return Entry(folder.name, folder, replace(language, manifest=own), manifest, suites, origin=origin)

    def language_of(self, folder: Path, name: str | None) -> Language | None:
        """Returns the language of that name, of which a folder outside of the checkout has an entry.

        Notes where there is none, and a name of the folder that no entry of the language can have.
        """
        path, known = folder / MANIFEST, [path.name for path in _folders(self.repository.frameworks)]
        if name not in known:
            missing = f'is missing; add the entry\'s language, such as language = "{known[0]}"'
            unknown = f"there is no {name}{did_you_mean(name, known)}" if name else missing
            self.note(MANIFEST, path, [f"language: {unknown}"])
            return None
        language = self.language(self.repository.frameworks / name)
        if language is None:
            return None
        others = [each.name for each in language.folder.iterdir() if not (each / MANIFEST).is_file()]
        taken = dict.fromkeys(others, f"{name} has a file or folder of that name")
        wrong = consistency.folder_mistake(folder.name, taken=taken)
        return language if self.named(MANIFEST, path, wrong) else None

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


def load_folder(
    repository: Repository, catalog: Catalog, folder: Path, parent: Path, language: str | None = None
) -> Entry:
    """Reads the entry in a folder outside of the checkout. It is run from a copy below `parent`.

    `language`: its language where the manifest names none. Raises CatalogError with the mistakes of the manifest.
    """
    reader, entry = _Reader(repository), None
    manifest = reader.manifest(MANIFEST, folder / MANIFEST, FrameworkManifest)
    found = reader.language_of(folder, manifest.language or language) if manifest else None
    if manifest and found:
        copy = copied(folder, found, manifest.code_from, parent)
        beside = replace(found, folder=copy.parent, colour=found.manifest.colour)
        entry = reader.entry(copy, beside, catalog.suites, folder)
    if entry is None:
        raise CatalogError([line for lines in reader.mistakes.values() for line in lines])
    return entry


def load_with_folders(repository: Repository, names: list[str]) -> tuple[Catalog, list[str]]:
    """Reads the catalogue, and the entries in folders that some of the names lead to.

    Returns both as one catalogue, and the names with ids in place of folders. An entry in a folder whose title another
    entry has gets the folder's name in addition. Raises UsageError where another entry has its id.
    """
    catalog, chosen = load_catalog(repository), []
    for name in names:
        folder = None if name in {*catalog.entries, *catalog.mistakes} else folder_named(name)
        if folder is None or folder.is_relative_to(repository.frameworks.resolve()):
            chosen.append(f"{folder.parent.name}/{folder.name}" if folder else name)
            continue
        entry = load_folder(repository, catalog, folder, repository.entries)
        others = [each for each in catalog.entries.values() if each.origin != folder]
        if entry.id in {*catalog.mistakes, *(each.id for each in others)}:
            raise UsageError(f"{folder}: another entry is called {entry.id}: rename the folder")
        if (entry.language.name, entry.title.casefold()) in {(e.language.name, e.title.casefold()) for e in others}:
            title = f"{entry.title} ({entry.name})"
            entry = replace(entry, manifest=entry.manifest.model_copy(update={"title": title}))
        catalog = replace(catalog, entries={**catalog.entries, entry.id: entry})
        chosen.append(entry.id)
    return catalog, chosen


def _entry_folders(language: Path) -> list[Path]:
    return [folder for folder in _folders(language) if folder.name not in NO_ENTRIES]


def _folders(parent: Path) -> list[Path]:
    """The folders in a folder, sorted. Those that git ignores, and those without other files, are left out."""
    if not parent.is_dir():
        return []
    folders = (path for path in parent.iterdir() if path.is_dir() and not is_ignored(path))
    return sorted(folder for folder in folders if _has_files(folder))


def _has_files(folder: Path) -> bool:
    return any(path.is_file() or _has_files(path) for path in folder.iterdir() if not is_ignored(path))


Titles = Callable[[str], str]
"""Turns the id of an entry, or the name of a cell, into the words of the board."""


def titles_of(catalog: Catalog) -> Titles:
    """Returns what turns language/entry, suite, suite/scenario or suite/scenario/variant into the words of the board.

    What the catalogue does not have, such as an entry that was removed, keeps its name.
    """
    scenarios = {
        f"{suite.name}/{each.name}": each.title for suite in catalog.suites.values() for each in suite.scenarios
    }
    suites = {suite.name: suite.title for suite in catalog.suites.values()}
    known = scenarios | suites | {entry.id: entry.title for entry in catalog.entries.values()}

    def title(name: str) -> str:
        place, _, variant = name.rpartition("/") if name.count("/") > 1 else (name, "", "")
        return " · ".join(filter(None, [known.get(place, place), variant]))

    return title
