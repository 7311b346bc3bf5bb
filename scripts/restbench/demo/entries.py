"""Made entries: frameworks that do not exist, in languages that do not exist."""

import json
import re
import shutil
from pathlib import Path

from restbench.system.repository import Repository

LANGUAGES = ("Aster", "Birch", "Cedar")
"""Each is a copy of the folder of Python under another name, because the commands of a language do not matter here."""

VARIANTS = (("raw", "msgspec"), ("raw", "msgspec", "pydantic"), ("raw",))
"""The variants of the first entry of each language, of the second and of the third, and so on again."""

FRAMEWORK = """\
title = "{title}"
package = "pypi:{name}"
homepage = "https://example.org/{name}"
source = "https://example.org/{name}.git"
interface = "{interface}"
server = "{server}"
app = "app:app"
status = "{status}"
notes = ["This framework is made up."]

[suites]
hello = true
issue-tracker = {variants}
workload = {variants}
"""
SOLR = 'solr = { variants = ["msgspec"], openapi = "/openapi.json", by_hand = [] }\n'


def entry_names(count: int) -> list[str]:
    """The ids of so many entries, spread over the languages."""
    return [f"{LANGUAGES[number % len(LANGUAGES)].lower()}/{name_of(number)}" for number in range(count)]


def name_of(number: int) -> str:
    return f"made-{number + 1:02d}"


def write_entries(real: Repository, root: Path, count: int) -> None:
    """Writes fixtures, languages, entries and the reference below `root`, which has no such folders yet.

    Entries have 16 to 30 cells that are measured, 23 in the mean, as the real ones have.
    """
    shutil.copytree(real.fixtures, root / "fixtures")
    shutil.copytree(real.frameworks / "reference", root / "frameworks/reference")
    for number, title in enumerate(LANGUAGES):
        folder = root / "frameworks" / title.lower()
        folder.mkdir(parents=True)
        text = (real.frameworks / "python/language.toml").read_text()
        text = text.replace('"Python"', f'"{title}"').replace('"falcon"', f'"{name_of(number)}"')
        text = re.sub(r"colour .*\n", "", text)  # each language gets a colour that is free
        (folder / "language.toml").write_text(text)
        shutil.copy(real.frameworks / "python/packages.py", folder)
    for number, entry in enumerate(entry_names(count)):
        _write_entry(root / "frameworks" / entry, number)
    summary = '[readme]\nsummary = ["hello/hello_world", "issue-tracker/sprint-schema", "workload/simple-raw"]\n'
    (root / "frameworks/selections.toml").write_text(summary)


def _write_entry(folder: Path, number: int) -> None:
    folder.mkdir()
    interface = "wsgi" if number % 4 == 3 else "asgi"
    text = FRAMEWORK.format(
        title=f"Made {number + 1}",
        name=folder.name,
        interface=interface,
        server="gunicorn" if interface == "wsgi" else "gunicorn+uvicorn",
        status="unmaintained" if number % 13 == 12 else "maintained",
        variants=json.dumps(VARIANTS[number // len(LANGUAGES) % len(VARIANTS)]),
    )
    (folder / "framework.toml").write_text(text + (SOLR if number % 5 < 3 else ""))
    (folder / "app.py").write_text("")
    (folder / "requirements.txt").write_text(f"{folder.name}==1.0\n")
