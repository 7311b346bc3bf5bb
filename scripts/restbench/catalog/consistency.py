"""Checks that the models alone cannot make: whether each manifest fits its folder, its language and the suites.

Languages, suites and entries are called as their folders, so the names of folders are checked too.

Every function gives mistakes as text that names the key and the remedy. The reader of manifests adds the file's name.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, get_args

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from pydantic import BaseModel, ValidationError

from restbench.catalog import lacks
from restbench.catalog.entry import Entry, Language, Suite
from restbench.catalog.manifests import (
    BODIES,
    DEFAULT_JSON,
    FACTS_PLACEHOLDERS,
    LANGUAGE_COLOURS,
    NAME,
    OTHER,
    PARTS,
    PLACEHOLDERS,
    RUNNING_PLACEHOLDERS,
    SERVER_PLACEHOLDERS,
    Documented,
    FrameworkManifest,
    LanguageManifest,
    SuiteManifest,
)
from restbench.catalog.packages import FILE as PACKAGES
from restbench.catalog.packages import locked_version, locked_versions, packages_of
from restbench.errors import EntryError
from restbench.system.advice import command_line
from restbench.system.text import did_you_mean, nearest

LONGEST_LANGUAGE, LONGEST_NAME = 30, 60
"""The most characters of the folder of a language, and of that of an entry or a suite. A job's name has both."""

_MISTYPED = 0.85
"""How like a name of several entries that of an own variant may be. `marshal` and `marshmallow` are two libraries."""

NO_LANGUAGE = {"solr": "the images of the backend are called so"}
NO_SUITE = {"entries": "a page of the board is called so"}
"""Names that a language or a suite would share with something else."""


def folder_mistake(
    name: str, longest: int = LONGEST_NAME, taken: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """What is wrong with the name of a folder. None where images, artifacts, jobs and addresses can have it.

    `taken`: names that it must not have, with the reason.
    """
    if not re.fullmatch(NAME, name):
        return "its folder has to have a name of small letters, digits and single hyphens between them; rename it"
    if len(name) > longest:
        return f"the name of its folder has {len(name)} characters; at most {longest} fit into the names of jobs"
    return f"its folder must not be called {name}, because {taken[name]}" if name in taken else None


def name_clashes(entries: Iterable[Entry]) -> Iterable[tuple[Entry, str]]:
    """Yields each entry that an earlier one leaves no name to, with the mistake as text.

    Charts need different titles in a language; upper and lower case count as equal. Jobs and images need different
    names on the whole board.
    """
    taken: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        first = taken.setdefault((entry.language.name, entry.title.casefold()), entry)
        if first is not entry:
            yield entry, f"title: {entry.title} is used by {first.id} already; rename one"
        for name in entry.manifest.variants:
            first = taken.setdefault(("variants", "", name), entry)
            if first is not entry:
                yield entry, f"variants: {first.id} has {name} too; move it to `variants` of the suites"
        joined = f"{entry.language.name}-{entry.name}"
        first = taken.setdefault((joined,), entry)
        if first is not entry:
            yield entry, f"name: its job and image would be called {joined}, as those of {first.id} are; rename one"


LOCK_SCRIPT = "lock"
"""The script of a language that locks an entry's dependencies anew."""


def explain(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Returns one line for each finding of pydantic: the key, what is wrong, and what would be right."""
    lines = []
    descriptions = {name: field.description for name, field in model.model_fields.items()}
    # unknown keys first: an unknown key is often a misspelt key that is then missing
    for finding in sorted(error.errors(), key=lambda f: f["type"] != "extra_forbidden"):
        key = ".".join(str(part) for part in finding["loc"] if part not in PARTS.values())
        if finding["type"] == "extra_forbidden":
            *place, name = (str(part) for part in finding["loc"])
            holder = model
            for part in place:  # keys of a dict, indexes of a list and members of a union are not fields
                if part in holder.model_fields:
                    holder = _model_in(holder.model_fields[part].annotation) or holder
            lines.append(f"{key}: unknown key{did_you_mean(name, holder.model_fields)}")
        elif finding["type"] == "missing":
            lines.append(f"{key}: is missing; add it")
        elif finding["type"] == "value_error":
            lines.append(f"{key}: {finding['ctx']['error']}")
        elif finding["type"] == "string_pattern_mismatch" and (about := descriptions.get(key)):
            lines.append(f"{key}: {finding['msg']}: {about} (it says {finding['input']!r})")
        else:
            lines.append(f"{key}: {finding['msg']} (it says {finding['input']!r})")
    return lines


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The first model that an annotation holds, such as Command of dict[str, Command]."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for argument in get_args(annotation) if (found := _model_in(argument))), None)


def suite_mistakes(folder: Path, manifest: SuiteManifest) -> list[str]:
    files = [(f"scenario.{s.name}.body", s.body) for s in manifest.scenario if s.body]
    files += [("needs", name) for name in manifest.needs]
    known = manifest.variants
    unknown = [variant for variant in manifest.without_schema if variant not in known]
    return [
        *(
            f"{key}: there is no {name} next to it; add the file"
            for key, name in files
            if not (folder / name).is_file()
        ),
        *(f"without_schema: unknown variant {variant}{did_you_mean(variant, known)}" for variant in unknown),
    ]


def framework_mistakes(
    folder: Path, manifest: FrameworkManifest, language: LanguageManifest, suites: dict[str, Suite]
) -> Iterable[str]:
    if manifest.language not in (None, folder.parent.name):
        yield f"language: this folder is one of {folder.parent.name}; correct the line, or remove it"
    yield from _suite_choice(manifest, suites)
    yield from _own_variants(manifest, suites)
    yield from _unknown_names(manifest, suites)
    yield from _code_from(folder, manifest, language)
    yield from _start(folder, manifest, language)
    for key, what in {"python": "Python interpreter", "jdk": "JDK"}.items():
        narrowed, of_language = getattr(manifest, key), getattr(language.toolchain, key)
        if narrowed is not None and of_language is None:
            yield f"{key}: this language has no {what}; remove the line"
        elif narrowed is not None:
            try:
                SpecifierSet(narrowed)
            except InvalidSpecifier:
                yield f'{key}: {narrowed!r} is not a version specifier; write it as ">=3.11" or "==3.11.*"'
    yield from _unknown_placeholders("build", manifest.build or [])
    yield from _unknown_placeholders("start", [manifest.start or []], SERVER_PLACEHOLDERS)
    yield from _package(folder, manifest, language)


def _unknown_names(manifest: FrameworkManifest, suites: dict[str, Suite]) -> Iterable[str]:
    """A key may name what the entry does not take part in, so that a suite can be taken from it in one line."""
    variants = (variant for suite in suites.values() for variant in suite.manifest.variants)
    known = [*suites, *variants, *manifest.variants, OTHER]
    for key in manifest.json_library:
        if key not in known:
            yield f"json_library: {key} is no suite and no variant{did_you_mean(key, known)}"
    known = sorted({*lacks.ANYWHERE, *(lack for suite in suites.values() for lack in suite.manifest.lacks)})
    for lack in manifest.lacks:
        if lack not in known:
            yield f"lacks: every entry has to have {lack}{did_you_mean(lack, known)}"
    known = [BODIES, *(each.name for suite in suites.values() for each in suite.scenarios if each.features)]
    for key in manifest.by_library:
        if key not in known:
            yield f"by_library: {key} is not {', '.join(known[:-1])} or {known[-1]}{did_you_mean(key, known)}"


def language_mistakes(folder: Path, manifest: LanguageManifest) -> Iterable[str]:
    if "{release}" in manifest.image_lock:
        yield (
            f"toolchain.release: is missing; native.lock is {manifest.native.lock}, so name the Debian release of the "
            'image, such as "trixie"'
        )
    yield from _packages(folder, manifest)
    yield from _unknown_placeholders("native.start", [manifest.native.start])
    yield from _unknown_placeholders("native.build", manifest.native.build)
    yield from _unknown_placeholders("facts", [manifest.facts or []], FACTS_PLACEHOLDERS)
    asked = [manifest.runtime_settings.command or []]
    yield from _unknown_placeholders("runtime_settings.command", asked, RUNNING_PLACEHOLDERS)
    yield from _unknown_placeholders("servers", manifest.servers.values(), SERVER_PLACEHOLDERS)
    for name in manifest.concurrency.keys() - manifest.servers:
        yield f"concurrency: unknown server {name}{did_you_mean(name, manifest.servers)}"
    for name, manager in manifest.package_managers.items():
        yield from _unknown_placeholders(f"package_managers.{name}.build", manager.build)
    # the scripts of the language have to be there as executable files
    managers = [command for manager in manifest.package_managers.values() for command in manager.build]
    programs = [command[0] for command in (*manifest.native.build, *managers, manifest.native.start)]
    scripts = {name: "native" for program in programs if (name := program.removeprefix("{language}/")) != program}
    if (folder / LOCK_SCRIPT).is_file():
        scripts[LOCK_SCRIPT] = LOCK_SCRIPT
    for name, key in scripts.items():
        script = folder / name
        if not script.is_file():
            yield f"{key}: there is no {name} in this folder; add the file, or correct the command"
        elif not os.access(script, os.X_OK):
            yield f"{key}: {name} is not executable; run chmod +x frameworks/{folder.name}/{name}"


def _packages(folder: Path, manifest: LanguageManifest) -> Iterable[str]:
    locks = {manifest.registry: manifest.native.lock} | {
        registry: manager.lock for registry, manager in manifest.package_managers.items()
    }
    for registry, lock in locks.items():
        try:
            packages = packages_of(folder, registry)
        except Exception as error:  # a module may fail in any way while it is imported
            yield f"registry: {PACKAGES} cannot be used ({type(error).__name__}: {error}); correct it"
            return
        if lock and packages is None:
            remedy = "write it as docs/ADDING-A-LANGUAGE.md says"
            yield f"native.lock: there is no {PACKAGES} in this folder to read {lock}; {remedy}"
            return


def _unknown_placeholders(
    key: str, commands: Iterable[list[str]], known: Iterable[str] = PLACEHOLDERS
) -> Iterable[str]:
    for word in (word for command in commands for word in command):
        try:
            names = {name for _, name, _, _ in Formatter().parse(word) if name is not None}
        except ValueError as error:
            yield f"{key}: {word!r} is no text with placeholders ({error}); write {{{{ and }}}} for braces"
            continue
        for name in sorted(names - {*known}):
            remedy = did_you_mean(name, known) if name.isidentifier() else "; write {{ and }} for braces"
            yield f"{key}: unknown placeholder {{{name}}}{remedy}"


def _suite_choice(manifest: FrameworkManifest, suites: dict[str, Suite]) -> Iterable[str]:
    for name, chosen in manifest.suites.items():
        if name not in suites:
            yield f"suites.{name}: unknown suite{did_you_mean(name, suites)}"
            continue
        suite, features = suites[name].manifest, suites[name].features
        known = [*suite.variants, *manifest.variants] if suite.variants else []
        if features or isinstance(chosen, Documented):
            yield from _documentation(name, chosen, features, suites[name].may_lack)
            if features and isinstance(chosen, Documented) and (known or chosen.variants):
                yield from _variants(f"{name}.variants", chosen.variants, known)
        elif known and not isinstance(chosen, list):
            yield f"suites.{name}: list the variants, such as {known[:1]}"
        elif isinstance(chosen, list):
            yield from _variants(name, chosen, known)
        plain = {*suite.without_schema, *(own for own, kind in manifest.variants.items() if kind == "plain")}
        libraries = [variant for variant in manifest.variants_in(name) if variant in plain - {DEFAULT_JSON}]
        if len(libraries) > 1:
            yield f"suites.{name}: {' and '.join(libraries)} are variants with other JSON libraries; one is enough"


def _variants(key: str, chosen: list[str], known: list[str]) -> Iterable[str]:
    if not known:
        yield f"suites.{key}: this suite has no variants; " + ("remove it" if "." in key else "write true")
        return
    for variant in chosen:
        if variant not in known:
            new = f'say what it is: variants = {{ {variant} = "schema" }}, or "plain" if it has no declared types'
            remedy = did_you_mean(variant, known) if nearest(variant, known) else f"; {new}"
            yield f"suites.{key}: unknown variant {variant}{remedy}"
    if not chosen:
        yield f"suites.{key}: lists no variant; name one, such as {known[:1]}, or do not take part"


def _own_variants(manifest: FrameworkManifest, suites: dict[str, Suite]) -> Iterable[str]:
    of_several = {variant for suite in suites.values() for variant in suite.manifest.variants}
    taken = {variant for suite in manifest.suites for variant in manifest.variants_in(suite)}
    for name in manifest.variants:
        if name in of_several:
            yield f"variants: other entries have {name} too, and the suites say what it is; remove the line"
        elif near := get_close_matches(name, sorted(of_several), 1, _MISTYPED):
            yield f"variants: {name} can be taken for {near[0]}, which other entries have; did you mean that?"
        elif name not in taken:
            yield f"variants: no suite lists {name}; add it to a list in [suites], or remove the line"


def _documentation(
    name: str, chosen: bool | list[str] | Documented, features: list[str], may_lack: list[str]
) -> Iterable[str]:
    if not features:
        yield f"suites.{name}: has no feature checks; write true, or list the variants"
    elif not isinstance(chosen, Documented):
        yield f'suites.{name}: say where the OpenAPI document is, as {{ openapi = "/openapi.json" }}'
    else:
        unknown = [feature for feature in chosen.by_hand if feature not in features]
        yield from (
            f"suites.{name}.by_hand: unknown feature {feature}{did_you_mean(feature, features)}" for feature in unknown
        )
        needed = [feature for feature in chosen.lacks if feature not in may_lack]
        yield from (
            f"suites.{name}.lacks: every entry has to have {feature}{did_you_mean(feature, may_lack)}"
            for feature in needed
        )


def _code_from(folder: Path, manifest: FrameworkManifest, language: LanguageManifest) -> Iterable[str]:
    if manifest.code_from is None:
        return
    if not any("{code}" in word for command in (*language.native.build, language.native.start) for word in command):
        yield f"code_from: builds of {language.title} take no code of another entry; remove the line"
        return
    others = sorted(path.parent.name for path in folder.parent.glob("*/framework.toml") if path.parent != folder)
    if manifest.code_from not in others:
        yield f"code_from: there is no entry {manifest.code_from}{did_you_mean(manifest.code_from, others)}"
    replaced = {path for pattern in language.replaceable for path in folder.glob(pattern)}
    for own in sorted({path for pattern in language.code for path in folder.rglob(pattern)} - replaced):
        yield f"code_from: {own.relative_to(folder)} in this folder is never run; remove the file, or this line"
    if not language.native.lock:
        return
    # entries with the same code show what their servers or adapters cost, so they may differ in nothing else
    code, lock = manifest.code_folder(folder), language.native.lock
    try:
        version, other = (locked_version(folder.parent, each / lock, manifest.package) for each in (folder, code))
    except EntryError:
        return  # the check of the package names the mistake
    if version and other and version != other:
        both = (f"{each.parent.name}/{each.name}" for each in (code, folder))
        remedy = command_line("lock", *both, upgrade=True)
        yield f"code_from: {manifest.package} is {version} here and {other} in {code.name}; run {remedy}"


def _start(folder: Path, manifest: FrameworkManifest, language: LanguageManifest) -> Iterable[str]:
    if manifest.server is not None and manifest.server not in language.servers:
        yield f"server: unknown server {manifest.server}{did_you_mean(manifest.server, language.servers)}"
    if language.servers and manifest.server is None and manifest.start is None:
        yield f"server: is missing; add one of {', '.join(sorted(language.servers))}, or a start command"
    if language.app_file and manifest.start is None:
        if manifest.app is None:
            yield 'app: is missing; say what the server serves, such as "app:app"'
        else:
            file = language.app_file.format(module=manifest.app.partition(":")[0].replace(".", "/"))
            code = manifest.code_folder(folder)
            if not (code / file).is_file():
                where = f"{code.name}/" if manifest.code_from else "this folder"
                yield f"app: there is no {file} in {where}; add it, or name the module that holds the app"


def _package(folder: Path, manifest: FrameworkManifest, language: LanguageManifest) -> Iterable[str]:
    lock = language.image_lock
    registries = [language.registry, *language.package_managers]
    if manifest.package.partition(":")[0] not in registries:
        names = " or ".join(f"{registry}:NAME" for registry in dict.fromkeys(registries))
        yield f"package: packages of {language.title} are called {names}"
        return
    if not lock:
        return
    command = command_line("lock", f"{folder.parent.name}/{folder.name}")
    if not (folder / lock).is_file():
        yield f"package: there is no {lock} in this folder; lock the entry's dependencies: {command}"
        return
    try:
        version = locked_version(folder.parent, folder / lock, manifest.package)
        locked_versions(folder.parent, folder / lock, language.registry)
    except EntryError as error:
        yield f"package: {folder.parent.name}/{error.message}"
        return
    if version is None:
        yield f"package: {lock} has no version of {manifest.package}; add it to the dependencies and run {command}"


def coloured(languages: list[Language], entries: Mapping[str, int]) -> tuple[list[Language], dict[str, str]]:
    """Returns the languages with the colours that charts give them, and the mistakes as text, by language.

    `entries`: how many entries each language has. Of two languages with the same colour, the one with fewer entries has
    to take another, because it is the newer one. A ranked language that names no colour gets one that is free.
    """
    taken: dict[str, str] = {}
    clashes: dict[str, str] = {}
    for language in sorted(languages, key=lambda each: -entries[each.name]):
        colour, title = language.manifest.colour, language.manifest.title
        if colour and taken.setdefault(colour, title) != title:
            clashes[language.name] = f"colour: {colour} is the colour of {taken[colour]}"
    free = [colour for colour in LANGUAGE_COLOURS if colour not in taken]
    given = iter(free)
    found = []
    for language in languages:
        own = language.manifest.colour or (next(given, None) if language.manifest.ranked else None)
        found.append(replace(language, colour=own))
    return found, {name: f"{wrong}; take one that is free: {', '.join(free)}" for name, wrong in clashes.items()}
