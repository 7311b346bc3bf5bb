"""A repository of made entries in Python, with results as the service's runs give them."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from restbench.results.models import EntryResult
from restbench.system.repository import find_repository
from tests.unit.full_runs import a_full_run
from tests.unit.measured import a_full_result, a_reference_result
from tests.unit.records import START

ENTRIES = 40
REFERENCE = "reference/nginx"
WITH_SOLR = 26
"""The number of entries with the suite solr, which is about the share that the catalogue has."""

BASELINES = 6
"""The number of entries that have no duets, because they are the baseline of a language. Of 37 here, six are one."""

FRAMEWORK = """\
title = "Framework {number}"
package = "pypi:made-{number}"
homepage = "https://example.org"
source = "https://example.org"
interface = "asgi"
server = "gunicorn+uvicorn"
app = "app:app"

[suites]
hello = true
issue-tracker = ["raw", "pydantic"]
workload = ["raw", "pydantic"]
"""
SOLR = 'solr = { variants = ["pydantic"], openapi = "/openapi.json" }\n'


def make_entries(root: Path) -> None:
    """Writes fixtures, the reference, and ENTRIES entries that differ only by name."""
    real = find_repository()
    shutil.copytree(real.fixtures, root / "fixtures")
    language = root / "frameworks/python"
    language.mkdir(parents=True)
    for name in ("language.toml", "packages.py"):
        shutil.copy(real.frameworks / "python" / name, language)
    shutil.copytree(real.frameworks / REFERENCE, root / "frameworks" / REFERENCE)
    shutil.copy(real.frameworks / "reference/language.toml", root / "frameworks/reference")
    for number in range(ENTRIES):
        folder = language / name_of(number)
        folder.mkdir()
        (folder / "framework.toml").write_text(FRAMEWORK.format(number=number) + (SOLR if number < WITH_SOLR else ""))
        (folder / "app.py").write_text("")
        (folder / "requirements.txt").write_text(f"made-{number}==1.0\n")


def name_of(number: int) -> str:
    """Returns the name of an entry. The first entry is the baseline that language.toml names."""
    return f"framework-{number:02d}" if number else "falcon"


def a_result(number: int, started: datetime, rng: Random) -> EntryResult:
    """Returns the result of an entry, with every cell that it has, of the run that started then."""
    result = a_full_result(
        f"python/{name_of(number)}", a_full_run(identity(started, number), started), rng, has_duets=number >= BASELINES
    )
    cells = [cell for cell in result.cells if cell.suite != "solr" or number < WITH_SOLR]
    return result.model_copy(update={"cells": cells})


def a_reference(number: int, started: datetime, rng: Random) -> EntryResult:
    """Returns the result of the reference, which the job of each entry measures too."""
    return a_reference_result(REFERENCE, a_full_run(identity(started, number), started), rng)


def week(number: int) -> datetime:
    """Returns when the run of that week started."""
    return START + timedelta(weeks=number)


def identity(started: datetime, number: int) -> str:
    return f"{started:%Y%m%dT%H%M%SZ}-{number:08x}"
