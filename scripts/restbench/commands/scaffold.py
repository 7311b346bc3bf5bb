"""`restbench new`: creates an entry that already passes all checks of the suite hello."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Console
from uv import find_uv_bin

from restbench.catalog import load_catalog
from restbench.catalog.folders import MANIFEST
from restbench.catalog.select import NEW
from restbench.errors import BuildError, UnreachableError, UsageError
from restbench.system.advice import command_line
from restbench.system.files import write_atomically
from restbench.system.processes import user_environment
from restbench.system.repository import Repository, find_repository
from restbench.system.text import did_you_mean
from restbench.targets.building import TRY_AGAIN, unreachable_server

_NAME = re.compile(r"^[a-z][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")
_LOCK = Path(__file__).resolve().parents[2] / "lock"
_FILLED_IN = ".j2"
"""The suffix of template files in which names are filled in. Other files are copied as they are."""


def scaffold(
    name: Annotated[str, typer.Argument(help=f"language/framework, such as {NEW}", metavar="FRAMEWORK")],
    into: Annotated[
        Path | None,
        typer.Option(help="write it into this folder, outside of the checkout, such as ..", metavar="FOLDER"),
    ] = None,
) -> None:
    """Writes frameworks/<language>/<framework>/ from the language's template, and locks its dependencies.

    With `into`, writes the folder <framework>/ there, and its manifest names the language.

    Raises UsageError for a wrong name, a language without a template or a folder that exists, CatalogError if a
    manifest has mistakes, and BuildError if the dependencies cannot be locked.
    """
    repository = find_repository()
    if not _NAME.match(name):
        raise UsageError(f"{name}: write language/framework in small letters, such as {NEW}")
    language, framework = name.split("/")
    load_catalog(repository).check()  # a mistake in another manifest would hide whether the new entry is right
    template = repository.frameworks / language / "template"
    if not template.is_dir():
        known = [p.parent.name for p in repository.frameworks.glob("*/template")]
        raise UsageError(
            f"there is no template for {language}{did_you_mean(language, known)}; "
            "docs/ADDING-A-LANGUAGE.md says how a language is added"
        )
    in_checkout = repository.frameworks / language / framework
    folder = into.resolve() / framework if into else in_checkout
    for there in (folder, in_checkout):
        if there.exists():
            raise UsageError(f"{repository.relative(there)} is there already: choose another name, or remove it")
    if into:
        name = str(folder)
    try:
        written = set(_written(template, folder, framework))
        if into:
            _move_out(folder, language, written)
        lock(name, repository)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # half of an entry would be in the way of the next try
        raise
    for path in sorted(written | {path for path in folder.iterdir() if path.is_file()}):
        print(repository.relative(path))
    print(f"next: {command_line('verify', name)}, then follow the steps marked in {repository.relative(folder)}/")


def _move_out(folder: Path, language: str, written: set[Path]) -> None:
    """Makes the files those of a folder outside of the checkout: its manifest and commands have to name more."""
    for path in written:
        text = path.read_text(encoding="utf-8").replace(f"FRAMEWORK={language}/{folder.name}", f"FRAMEWORK={folder}")
        if path.name == MANIFEST:
            key = "language".ljust(text.index("="))  # below it stand other keys
            text = f'{key}= "{language}"\n{text}'
        write_atomically(path, text.encode())


def _written(template: Path, folder: Path, framework: str) -> Iterator[Path]:
    """Writes each file of the template, and yields its path."""
    values = {"name": framework, "title": framework.replace("-", " ").title()}
    jinja = Environment(  # noqa: S701 - TOML and code, not HTML
        loader=FileSystemLoader(template), undefined=StrictUndefined, keep_trailing_newline=True
    )
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        place = source.relative_to(template)
        target = folder / str(place).removesuffix(_FILLED_IN)
        if source.suffix == _FILLED_IN:
            write_atomically(target, jinja.get_template(place.as_posix()).render(values).encode())
        else:
            write_atomically(target, source.read_bytes())
        yield target


def lock(name: str, repository: Repository) -> None:
    """Locks the dependencies of an entry. `name` may be its folder. Raises BuildError where they cannot be locked."""
    console, what = Console(stderr=True), f"locking {name}"
    if not console.is_terminal:
        console.print(what, highlight=False, soft_wrap=True)
    with console.status(what):
        environment = {**user_environment(), "RESTBENCH_ROOT": str(repository.root), "UV": find_uv_bin()}
        ran = subprocess.run([_LOCK, name], env=environment, capture_output=True, encoding="utf-8", check=False)
    if ran.returncode == 0:
        return
    if server := unreachable_server(ran.stderr):
        raise UnreachableError(f"{name}: its dependencies could not be locked: {server}: {TRY_AGAIN}")
    here = f"check that its toolchain is here: {command_line('doctor')}"
    raise BuildError(f"{name}: its dependencies could not be locked: {here}", ran.stderr)
