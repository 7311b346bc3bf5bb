"""`restbench new`: a folder that already passes conformance for hello."""

import re
import subprocess
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from uv import find_uv_bin

from restbench.catalog import load_catalog
from restbench.catalog.consistency import did_you_mean
from restbench.catalog.select import NEW
from restbench.errors import BuildError, UsageError
from restbench.repository import find_repository
from restbench.results.files import write_atomically

_NAME = re.compile(r"^[a-z][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")
LOCK = (
    "--universal",
    "--generate-hashes",
    "--python-version=3.11",
    "requirements.in",
    "--output-file=requirements.txt",
)
"""How Python entries are locked; `make lock` does the same, and Renovate, which reads it in the lock."""


def scaffold(name: str) -> None:
    """Writes frameworks/<language>/<framework>/ from the language's template, with its dependencies locked."""
    repository = find_repository()
    if not _NAME.match(name):
        raise UsageError(f"{name}: write language/framework in small letters, such as {NEW}")
    language, framework = name.split("/")
    load_catalog(repository).check()  # mistakes of others first: they would hide whether the new entry is right
    template = repository.frameworks / language / "template"
    if not template.is_dir():
        known = [p.parent.name for p in repository.frameworks.glob("*/template")]
        raise UsageError(f"there is no template for {language}{did_you_mean(language, known)}")
    folder = repository.frameworks / language / framework
    if folder.exists():
        raise UsageError(f"{repository.relative(folder)} is there already: choose another name, or remove it")
    jinja = Environment(  # noqa: S701 - TOML and Python, not HTML
        loader=FileSystemLoader(template), undefined=StrictUndefined, keep_trailing_newline=True
    )
    for source in sorted(p for p in template.iterdir() if p.is_file()):
        text = jinja.get_template(source.name).render(name=framework, title=framework.replace("-", " ").title())
        write_atomically(folder / source.name.removesuffix(".j2"), text.encode())
        print(repository.relative(folder / source.name.removesuffix(".j2")))
    if (folder / "requirements.in").is_file():
        lock_python(folder)
        print(repository.relative(folder / "requirements.txt"))
    print(f"next: make verify FRAMEWORK={name}, then follow the steps marked in {repository.relative(folder)}/")


def lock_python(folder: Path) -> None:
    """Locks an entry's requirements.in with hashes. Raises BuildError."""
    command = [find_uv_bin(), "pip", "compile", "--quiet", *LOCK]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise BuildError(f"{folder}: requirements.in could not be locked: is the package index reachable?", ran.stderr)
