"""Each entry's own OpenAPI document, as Schemathesis reads it: what it says is tried with made requests."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from restbench.backends import Backend, make_backend
from restbench.catalog import USUAL_SETUP, Catalog, load_catalog
from restbench.errors import UnreachableError
from restbench.measure.tools import app_settings, wait_ready
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets import Target
from restbench.targets.native import NativeRuntime
from tests.end_to_end.test_catalogue import each

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

REPOSITORY = find_repository()
CATALOG: Catalog = load_catalog(REPOSITORY)
DOCUMENTED = {
    entry.id: document
    for entry in CATALOG.entries.values()
    if entry.variants("solr") and (document := entry.documented("solr").openapi)
}

SOLR_PATHS = ["--include-path-regex", r"^/(json_serialization|anonymization)/"]

# the contract wants 404 or 405 where a path lacks a method; Schemathesis wants 405 and a list of those it has
NOT_ASKED = ["--exclude-checks", "unsupported_method"]


@pytest.fixture(scope="module")
def solr() -> Iterator[Backend]:
    cpus = this_machine()
    with make_backend("solr", "native", REPOSITORY, cpus.backend if cpus.pinned else None) as backend:
        yield backend


@pytest.mark.needs("solr")
@pytest.mark.parametrize("name", each(DOCUMENTED))
def test_what_an_entry_documents_is_so(
    name: str, solr: Backend, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    entry, runtime = CATALOG.entries[name], NativeRuntime(REPOSITORY)
    try:
        runtime.build(entry)
    except UnreachableError as error:
        pytest.skip(error.message)
    with runtime.target(entry, app_settings(this_machine(), USUAL_SETUP, solr)) as target:
        wait_ready(target, entry, entry.cells(["solr"])[0], random.Random(1))
        document = DOCUMENTED[name]
        documented = fuzz(target, document, tmp_path, [*SOLR_PATHS, *NOT_ASKED, "--max-examples", "20"])
        crashes = fuzz(target, document, tmp_path, ["--checks", "not_a_server_error", "--max-examples", "3"])
    assert documented["failures"] == [], documented["output"]
    assert crashes["failures"] == [], crashes["output"]
    requests = documented["test_cases"]["generated"] + crashes["test_cases"]["generated"]
    record_property("fuzzed", (name, str(crashes["operations"]["tested"]), str(requests), "nothing"))


def fuzz(target: Target, document: str, folder: Path, options: list[str]) -> dict[str, Any]:
    """The report of Schemathesis on the app, with what it printed as "output"; the same each time."""
    path = folder / "report.json"
    words = [str(Path(sys.executable).with_name("schemathesis")), "run", target.base_url + document, *options]
    # without a database nothing depends on what was found before
    words += ["--seed", "1", "--no-color", "--report-json-path", str(path), "--generation-database", "none"]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=500)
    assert path.is_file(), ran.stdout + ran.stderr
    report: dict[str, Any] = json.loads(path.read_text())
    assert report["complete"], ran.stdout
    assert report["errors"] == [], ran.stdout
    assert report["test_cases"]["generated"] > 10, ran.stdout
    return {**report, "output": ran.stdout}
