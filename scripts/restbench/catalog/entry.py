"""Suites, languages, entries and the cells that are measured."""

import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from restbench.catalog.lacks import ANYWHERE, Lack, checked_by_hand
from restbench.catalog.manifests import (
    BODIES,
    OTHER,
    USUAL_SETUP,
    Documented,
    FrameworkManifest,
    LanguageManifest,
    Scenario,
    Setup,
    SuiteManifest,
)
from restbench.catalog.packages import locked_version, locked_versions
from restbench.system import debian
from restbench.system.files import files_hash, sources

FRAMEWORK = "the framework"
"""Who does what neither a library of another project nor the app's own code does."""


@dataclass(frozen=True)
class Suite:
    """A set of scenarios with one purpose."""

    name: str
    folder: Path
    manifest: SuiteManifest

    @property
    def title(self) -> str:
        return self.manifest.title

    @property
    def scenarios(self) -> list[Scenario]:
        return self.manifest.scenario

    @property
    def may_lack(self) -> list[str]:
        """The features that an entry may list in `lacks`, because its framework cannot have them."""
        return [feature for scenario in self.scenarios for feature in scenario.may_lack]

    @property
    def features(self) -> list[str]:
        """The names of all feature checks of this suite."""
        return [feature for scenario in self.scenarios for feature in scenario.features]

    def scenario(self, name: str) -> Scenario:
        return next(s for s in self.scenarios if s.name == name)

    @cached_property
    def _documents(self) -> dict[str, Any]:
        return {path.name: json.loads(path.read_bytes()) for path in self.folder.glob("*.json")}

    def document(self, name: str) -> Any:
        """The parsed JSON file of that name next to suite.toml. Callers share it and must not change it."""
        return self._documents[name]

    def bodies(self, scenario: Scenario) -> tuple[bytes, ...]:
        """The bodies that are sent under load in turn; empty for a request without one.

        They are the scenario's document in five forms, so that an app has to parse them. They differ in the order of
        keys, in lengths, escapes and white space. None has more than one line, as oha reads them from a file of lines.
        """
        if scenario.body is None:
            return ()
        document = self.document(scenario.body)
        texts = [
            _compact(document),
            _compact(dict(reversed(document.items())), ensure_ascii=True),
            json.dumps(dict(sorted(document.items())), ensure_ascii=False),
            _compact({key: _longer(value) for key, value in document.items()}),
            json.dumps({key: _shorter(value) for key, value in document.items()}, separators=(" ,", " : ")),
        ]
        return tuple(text.encode() for text in texts)


def _compact(document: Any, *, ensure_ascii: bool = False) -> str:
    return json.dumps(document, ensure_ascii=ensure_ascii, separators=(",", ":"))


def _longer(value: str | list[str]) -> str | list[str]:
    """Returns the text with more at its end that has to be escaped, or the list with one more item."""
    return f'{value}\t"§ 7/b"' if isinstance(value, str) else [*value, f"{value[0]} 2"]


def _shorter(value: str | list[str]) -> str | list[str]:
    """Returns the text without its first word, or the list without its last item."""
    return value.partition(" ")[2] or value if isinstance(value, str) else value[:-1]


DESCRIBING = {
    "framework.toml": (
        "title",
        "also_called",
        "language",
        "homepage",
        "documentation",
        "source",
        "json_library",
        "by_library",
        "status",
        "notes",
        "commands",
    ),
    "language.toml": ("title", "also_called", "colour", "baseline", "bcrypt", "code", "facts", "runtime_settings"),
}
"""File → keys that change no app. The commands of a toolchain, which say how to get it, do not either."""


def _content(path: Path) -> bytes:
    """Returns the content of a file; that of a manifest without comments and without what only describes the app.

    Figures stay comparable when a word about an app is changed.
    """
    if path.name not in DESCRIBING:
        return path.read_bytes()
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    fields = {key: value for key, value in document.items() if key not in DESCRIBING[path.name]}
    if "toolchain" in fields:
        fields["toolchain"] = {key: value for key, value in fields["toolchain"].items() if key != "commands"}
    return json.dumps(fields, sort_keys=True).encode()


class CellKey(NamedTuple):
    """A scenario and a variant: a cell of any entry. As text it is suite/scenario, or suite/scenario/variant."""

    suite: str
    scenario: str
    variant: str | None

    @classmethod
    def parse(cls, text: str) -> "CellKey":
        """Returns the key of a text. Raises ValueError for a text that has no scenario, or more than a variant."""
        suite, scenario, *variant = text.split("/")
        if len(variant) > 1:
            raise ValueError(f"expected suite/scenario or suite/scenario/variant, got {text}")
        return cls(suite, scenario, variant[0] if variant else None)

    def __str__(self) -> str:
        return "/".join(filter(None, self))


@dataclass(frozen=True, order=True)
class Cell:
    """An entry, a scenario and a variant. A cell is measured, ranked and tracked.

    `variant` is None in a suite without variants, and in a scenario whose path has none.
    """

    entry: str
    suite: str
    scenario: str
    variant: str | None

    @property
    def key(self) -> CellKey:
        """The cell in any entry."""
        return CellKey(self.suite, self.scenario, self.variant)

    def __str__(self) -> str:
        return f"{self.entry}/{self.key}"


@dataclass(frozen=True)
class Language:
    """A folder under frameworks/: how anything in that language is built and started.

    `colour`: that of its bars in charts; None in a language that is not ranked, and where no colour is free.
    """

    name: str
    folder: Path
    manifest: LanguageManifest
    colour: str | None = None

    @property
    def dockerfile(self) -> Path:
        return self.folder / "Dockerfile"


@dataclass(frozen=True)
class Entry:
    """One framework of the board. `revision` distinguishes two versions of it in the same run.

    `origin`: the folder outside of the checkout that `folder` is a copy of.
    """

    name: str
    folder: Path
    language: Language
    manifest: FrameworkManifest
    suites: dict[str, Suite]
    revision: str = ""
    origin: Path | None = None

    def in_own_files(self, text: str) -> str:
        """Returns what a build or the app said, with the user's files in place of their copies."""
        return text.replace(str(self.folder), str(self.origin)) if self.origin else text

    @property
    def place(self) -> str:
        """The entry's name, with its revision where it has one. No other entry of its language has it in this run."""
        return f"{self.name}@{self.revision}" if self.revision else self.name

    def json_library(self, cell: Cell) -> str | None:
        """Returns the library for a cell's JSON. None where it has no JSON, or where the manifest does not say it."""
        if not self.scenario(cell).has_json:
            return None
        named = self.manifest.json_library
        return next((named[key] for key in (cell.variant, cell.suite, OTHER) if key in named), None)

    @property
    def id(self) -> str:
        return f"{self.language.name}/{self.place}"

    @property
    def title(self) -> str:
        return self.manifest.title

    @property
    def unmaintained(self) -> bool:
        return self.manifest.status == "unmaintained"

    @property
    def code_folder(self) -> Path:
        """Where the app's code is: the entry's own folder, or that of the entry whose code it runs."""
        return self.manifest.code_folder(self.folder)

    def variants(self, suite: str) -> list[str | None]:
        """The entry's variants in a suite: [None] if the suite has no variants, [] if the entry does not take part."""
        return [*self.manifest.variants_in(suite)] or ([None] if self.manifest.suites.get(suite) else [])

    def has_schema(self, suite: str, variant: str | None) -> bool:
        """Whether a variant validates bodies against declared types, and builds answers from them."""
        if variant in self.manifest.variants:
            return self.manifest.variants[variant] == "schema"
        return variant is not None and variant not in self.suites[suite].manifest.without_schema

    def lacks(self, *suites: str) -> list[Lack]:
        """Returns what the entry's language or framework cannot have in one of those suites; without any, in all."""
        known = dict(ANYWHERE)
        for suite in suites or self.manifest.suites:
            for name, sentence in self.suites[suite].manifest.lacks.items():
                known[name] = Lack(name, f"no {name.replace('-', ' ')}", sentence)
        return [known[lack] for lack in self.manifest.lacks if lack in known]

    @property
    def by_hand(self) -> list[Lack]:
        """What the entry's own code checks in schema variants."""
        found = (self.manifest.by_hand.bodies, self.manifest.by_hand.documents)
        return [checked_by_hand(checks) for checks in dict.fromkeys(found) if checks]

    def lacks_in(self, suite: str, scenario: str, variant: str | None) -> list[Lack]:
        """Returns what a reader of a cell's figures has to know: what is lacking, and what is checked by hand."""
        found = self.lacks(suite)
        of_solr = self.suites[suite].manifest.backend is not None
        checks = self.manifest.by_hand.documents if of_solr else self.manifest.by_hand.bodies
        if checks and self.has_schema(suite, variant) and (of_solr or self.scenario_of(suite, scenario).body):
            found.append(checked_by_hand(checks))
        return found

    @property
    def concurrency(self) -> int | None:
        """How many requests a worker handles at a time. None where neither a thread nor a process handles only one."""
        return self.manifest.concurrency or self.language.manifest.concurrency.get(self.manifest.server or "")

    def fewer_at_a_time(self, connections: int | None) -> str | None:
        """Says that a worker handles fewer requests at a time than a cell has connections, where that is so."""
        at_a_time = self.concurrency
        if at_a_time is None or at_a_time >= (connections or 0):
            return None
        return f"a worker handles {at_a_time} requests at a time, and others wait"

    def documented(self, suite: str) -> Documented:
        """How the entry takes part in a suite with feature checks, such as where its OpenAPI document is."""
        chosen = self.manifest.suites[suite]
        assert isinstance(chosen, Documented), f"{self.id}: {suite} has no feature checks"
        return chosen

    def done_by(self) -> dict[str, str]:
        """Returns who checks bodies in schema variants, and who provides the features of each scenario: what → who."""
        manifest, found = self.manifest, dict[str, str]()
        if any(self.scenario(c).body and self.has_schema(c.suite, c.variant) for c in self.cells([*manifest.suites])):
            own = manifest.by_hand.bodies and f"the app's own code checks {manifest.by_hand.bodies}"
            found["Bodies of requests"] = "; ".join(filter(None, [manifest.by_library.get(BODIES, FRAMEWORK), own]))
        for suite in (name for name, chosen in manifest.suites.items() if isinstance(chosen, Documented)):
            chosen = self.documented(suite)
            for scenario in self.suites[suite].scenarios:
                if not scenario.features or (scenario.name == "openapi" and not chosen.openapi):
                    continue
                usual = manifest.by_library.get(scenario.name, FRAMEWORK)
                own = ", ".join(name for name in scenario.features if name in chosen.by_hand)
                all_own = set(scenario.features) <= {*chosen.by_hand, *chosen.lacks}
                parts = ["" if all_own else usual, own and f"the app's own code: {own}"]
                found[scenario.title] = "; ".join(filter(None, parts))
        return found

    @property
    def writes_openapi(self) -> bool:
        """Whether the framework, or an extension of it, makes an OpenAPI document from the entry's code."""
        return any(isinstance(chosen, Documented) and chosen.openapi for chosen in self.manifest.suites.values())

    def cells(self, suites: list[str]) -> list[Cell]:
        """Every cell of this entry in those suites, in the order of the suites and of their scenarios."""
        return [
            Cell(self.id, name, scenario.name, variant)
            for name in suites
            if name in self.suites
            for scenario in self.suites[name].scenarios
            for variant in (self.variants(name) if scenario.has_variants else self.variants(name) and [None])
        ]

    def by_setup(self, cells: list[Cell]) -> dict[Setup, list[Cell]]:
        """The cells by the setup that they need, with the usual setup first."""
        groups: dict[Setup, list[Cell]] = {}
        for cell in cells:
            groups.setdefault(self.scenario(cell).setup, []).append(cell)
        return dict(sorted(groups.items(), key=lambda group: group[0] != USUAL_SETUP))

    def needs_backend(self, cell: Cell) -> bool:
        return self.suites[cell.suite].manifest.backend is not None

    def scenario(self, cell: Cell) -> Scenario:
        return self.scenario_of(cell.suite, cell.scenario)

    def scenario_of(self, suite: str, scenario: str) -> Scenario:
        return self.suites[suite].scenario(scenario)

    @property
    def native_build(self) -> list[list[str]]:
        """The entry's own build commands, else the language's."""
        own = self.manifest.build
        return self.language.manifest.native.build if own is None else own

    def build_inputs(self) -> dict[str, Path]:
        """The files that the entry's environment is made from.

        Their keys are paths in the entry's folder with "0/" in front, in the language's folder with "1/", or in the
        folder of the entry whose code it runs with "2/".
        """
        native = self.language.manifest.native
        patterns = [(self.folder, native.inputs), (self.language.folder, native.shared_inputs)]
        if self.code_folder != self.folder:
            patterns.append((self.code_folder, native.inputs))
        return {
            f"{number}/{path.relative_to(folder)}": path
            for number, (folder, globs) in enumerate(patterns)
            for glob in globs
            for path in sorted(folder.glob(glob))
            if path.is_file()
        }

    def dockerfile(self) -> Path:
        """The entry's own Dockerfile, else the language's."""
        own = self.folder / "Dockerfile"
        return own if own.is_file() else self.language.dockerfile

    def lock(self, target: str = "native") -> Path | None:
        """The file that pins the dependencies of what runs on a target; None in a language without lock files.

        Where each release of Debian has its own lock, the one of this machine's release counts natively, if there is
        one. Otherwise it is the lock of the image's release.
        """
        language = self.language.manifest
        if language.native.lock is None:
            return None
        here = self.folder / language.native.lock.format(release=debian.codename())
        return here if target == "native" and here.is_file() else self.folder / language.image_lock

    def version(self, target: str = "native") -> str | None:
        """The framework's version that runs on a target; None where there is no lock file, or no version in it."""
        lock = self.lock(target)
        return locked_version(self.language.folder, lock, self.manifest.package) if lock else None

    def locked_versions(self, target: str = "native") -> dict[str, str]:
        """The versions of all packages that are locked for a target, by name. Empty where there is no lock file."""
        lock = self.lock(target)
        return locked_versions(self.language.folder, lock, self.language.manifest.registry) if lock else {}

    def files_hash(self) -> str:
        """A short hash of all files that the app consists of. What only describes the app is no part of it."""
        return files_hash(self.files(), self.language.folder, _content)

    def app_files(self, target: str = "native") -> dict[str, str]:
        """A short hash of each file that the app consists of, without its lock file.

        The keys are paths from the language's folder. A file that was moved has the same hash.
        """
        root, lock = self.language.folder, self.lock(target)
        files = (path for path in sources(self.files()) if path != lock)
        return {path.relative_to(root).as_posix(): files_hash([path], path.parent, _content) for path in files}

    def files(self) -> list[Path]:
        """The entry's own files, those of its code, and those that its language shares, with their folders."""
        shared = [p for p in self.language.folder.iterdir() if p.is_file()]
        shared += (self.language.folder / "shared").rglob("*")
        return [*shared, *self.folder.rglob("*"), *self.code_folder.rglob("*")]


def has_duets(scenario: Scenario) -> bool:
    """Whether a scenario is measured in duet rounds.

    A batch is not: only its total time is measured. A scenario that is only verified is not measured at all.
    """
    return scenario.loaded and scenario.batch is None


def partner_of(entry: Entry, cell: Cell, baseline: Entry) -> Cell | None:
    """Returns the baseline's first cell of the same scenario and kind: without a schema, or with one.

    So all rows of a table are compared with the same cell. `entry` is the entry of the cell, which may be the baseline
    itself. None where the scenario is one of several conditions, where it is not measured in the usual setup, and where
    the baseline has no cell of that kind.
    """
    scenario = entry.scenario(cell)
    if scenario.column or not scenario.loaded or scenario.setup != USUAL_SETUP:
        return None
    kind = entry.has_schema(cell.suite, cell.variant)
    alike = (
        other
        for other in baseline.cells([cell.suite])
        if other.scenario == cell.scenario and baseline.has_schema(other.suite, other.variant) == kind
    )
    return next(alike, None)
