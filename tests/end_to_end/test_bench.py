"""The main job, with real wrk and real entries."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from restbench.catalog import load_catalog
from restbench.catalog.folders import LEFT_BEHIND
from restbench.loadgen import WRK
from restbench.results.figures import relative_cost
from restbench.results.files import read_folder
from restbench.results.models import EntryResult
from restbench.system.repository import Repository, find_repository
from restbench.targets.links import container_link_unavailable_reason, native_link_unavailable_reason
from tests.end_to_end.made import path_without, restbench

REPOSITORY = find_repository()
CATALOG = load_catalog(REPOSITORY)


def git_status() -> str:
    return subprocess.run(
        ["git", "status", "--porcelain"], cwd=REPOSITORY.root, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
@pytest.mark.needs("wrk", "oha", "reference/nginx")
def test_a_bench_from_catalogue_to_report(tmp_path: Path) -> None:
    dirty = git_status()
    words = ["bench", "python/starlette", "--profile", "smoke", "--target", "native", "--out", str(tmp_path)]
    ran = restbench(REPOSITORY, *words, env={"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")})
    assert ran.has_measured, ran.err
    assert "python/falcon is measured too: it is the baseline of Python" in ran.err
    results = read_folder(tmp_path / "results")
    assert set(results) == {"python/falcon", "python/starlette", "reference/nginx"}
    check_measured(results["python/starlette"])
    check_baseline(results["python/starlette"])
    report, summary = (tmp_path / "report.html").read_text(), (tmp_path / "summary.md").read_text()
    assert ran.out.endswith(f"Report: {tmp_path}/report.html\n")
    assert ran.out.split()[:5] == summary.removeprefix("<pre>").split()[:5], "it begins with the answer"
    for text in (report, summary):
        assert "Starlette" in text
        assert load_catalog(REPOSITORY).entries["python/starlette"].version() or "?" in text
    assert "total time of a batch in seconds" in report
    assert summary.startswith("<pre>\n")
    assert summary.endswith("\n</pre>\n")
    assert git_status() == dirty


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.needs("wrk")
def test_what_a_machine_lacks_for_some_cells_is_named_and_the_others_are_measured(tmp_path: Path) -> None:
    path = path_without(tmp_path / "bin", "oha", "docker", "java", "mvn", "cargo", "go", "act")
    words = ["bench", "python/falcon", "--profile", "smoke", "--target", "native", "--out", str(tmp_path / "out")]
    words += ["--suite", "hello,workload,solr"]
    ran = restbench(REPOSITORY, *words, env={"PATH": path, "CARGO_HOME": str(tmp_path)})
    assert ran.has_measured, ran.err
    assert ran.err.count("java is missing: install it with: apt-get install default-jre-headless") == 1
    entry = load_catalog(REPOSITORY).entries["python/falcon"]
    cells = read_folder(tmp_path / "out/results")["python/falcon"].cells
    assert {cell.suite for cell in cells} == {"hello", "workload", "solr"}
    for cell in cells:
        assert cell.failure is None
        if cell.suite == "solr":
            assert "java" in (cell.not_run or "")
        elif not entry.scenario_of(cell.suite, cell.scenario).link_delay_ms:
            assert cell.measured
            assert cell.latency == []
    report = (tmp_path / "out/report.html").read_text()
    assert "Falcon" in report
    assert "oha was missing" in report


def check_measured(result: EntryResult) -> None:
    """Every cell that is loaded has a round whose figures can be true, but for what this machine cannot measure."""
    entry = load_catalog(REPOSITORY).entries[result.entry]
    every = entry.cells(list(entry.suites))
    loaded = [cell for cell in every if entry.scenario(cell).loaded]
    checked = [cell for cell in every if entry.scenario(cell).features]
    far = [cell for cell in loaded if entry.scenario(cell).link_delay_ms]
    run = next(iter(result.runs.values()))
    no_link = native_link_unavailable_reason() if run.target == "native" else container_link_unavailable_reason()
    cannot = far if no_link else []
    seen = [cell for cell in result.cells if not (cell.measured or cell.features)]
    assert len(seen) == len(cannot), [(cell.scenario, cell.failure or cell.not_run) for cell in seen]
    assert [set(cell.features.values()) for cell in result.cells if cell.features] == [{True}] * len(checked)
    assert len(result.cells) == len(loaded) + len(checked)
    assert run.version
    assert run.licence in ("Apache-2.0", "BSD-3-Clause")
    assert run.runtime
    assert run.runtime.startswith("CPython 3.")
    assert run.runtime_build
    assert run.runtime_settings["dev mode"] == "off"
    assert run.server == "uvicorn"
    assert {cell.json_library for cell in result.cells if cell.variant == "raw"} == {"json"}
    assert run.packages
    assert run.code_lines
    assert run.idle_cpu_share is not None
    assert run.start_seconds
    assert run.start_seconds > 0
    assert run.memory_start_bytes
    for cell in result.cells:
        assert cell.failure is None
        batch = entry.scenario_of(cell.suite, cell.scenario).batch
        assert bool(cell.solo.seconds) == bool(batch and cell.solo.count)  # rounds may be refused on a busy machine
        for number, (throughput, cpu_us) in enumerate(zip(cell.solo.throughput, cell.solo.cpu_us, strict=True)):
            if batch and cell.solo.seconds:
                assert cell.solo.seconds[number] * throughput == pytest.approx(batch.requests, rel=0.01)
            else:
                assert throughput > 100
            assert cpu_us * throughput / 1e6 < 1.2 * len(run.machine.app_cpus)
            assert cpu_us > 1
        for rounds in cell.latency:
            assert rounds.runs == 1
            assert rounds.refused or rounds.histogram.total > 0


def check_baseline(result: EntryResult) -> None:
    """Every cell of the usual setup has rounds of the baseline's cell, and neither cost nothing."""
    entry = load_catalog(REPOSITORY).entries[result.entry]
    for cell in result.cells:
        if cell.measured and not entry.scenario_of(cell.suite, cell.scenario).batch:
            assert cell.solo.count + sum(cell.refused.values()) >= 1
            if found := relative_cost(result.entry, cell):
                assert cell.baseline
                assert (cell.baseline.entry, cell.baseline.variant) == ("python/falcon", cell.variant)
                assert 0.05 < found.middle < 20


TEMPLATES = sorted(path.parent.name for path in REPOSITORY.frameworks.glob("*/template"))
"""The languages that have one."""


def of_template(language: str) -> Any:
    """A new entry needs what the baseline of its language needs. Compilers take minutes."""
    baselines = {entry.language.name: entry.language.manifest.baseline for entry in CATALOG.entries.values()}
    like = f"{language}/{baselines[language]}"
    marks = [pytest.mark.needs("wrk", like)]
    quick = any(name.startswith(f"{language}/") for name in CATALOG.selections.default)
    return pytest.param(language, marks=marks if quick else [*marks, pytest.mark.extended])


@pytest.mark.slow
@pytest.mark.parametrize("language", [of_template(language) for language in TEMPLATES])
def test_a_new_entry_passes_conformance_for_hello_at_once(language: str, tmp_path: Path) -> None:
    """In a repository of its own, which has what the language shares and no entry."""
    real, made = REPOSITORY.frameworks / language, tmp_path / "frameworks" / language
    entries = [path.parent.name for path in real.glob("*/framework.toml")]
    shutil.copytree(real, made, ignore=shutil.ignore_patterns(*entries, *LEFT_BEHIND))
    toml = (made / "language.toml").read_text()
    (made / "language.toml").write_text(re.sub(r"(?m)^baseline .*$", "", toml))
    (tmp_path / "fixtures").symlink_to(REPOSITORY.fixtures)
    for folder in (tmp_path, *tmp_path.parents):
        if Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(0o711)  # nginx in front of PHP serves as another user, who has to reach the app
    repository = Repository(tmp_path)
    ran = restbench(repository, "new", f"{language}/demo")
    assert ran.code == 0, ran.err
    assert f"frameworks/{language}/demo/framework.toml" in ran.out
    verified = restbench(repository, "verify", f"{language}/demo", "--target", "native")
    assert verified.code == 0, verified.out
    assert "✓ hello_world answer" in verified.out
    assert f"{language}/demo: steps of the template are left in " in verified.out
    again = restbench(repository, "new", f"{language}/demo")
    assert again.code == 2
    assert "is there already" in again.err


@pytest.mark.slow
@pytest.mark.needs("wrk", "python/falcon")
def test_an_entry_in_a_folder_of_its_own_is_verified_measured_and_compared(tmp_path: Path) -> None:
    folder, out = tmp_path / "mine", ("--out", str(tmp_path / "out"), "--target", "native", "--profile", "smoke")
    ran = restbench(REPOSITORY, "new", "python/mine", "--into", str(tmp_path))
    assert ran.code == 0, ran.err
    verified = restbench(REPOSITORY, "verify", str(folder), "--target", "native", "--suite", "hello")
    assert verified.code == 0, verified.out
    assert "python/mine: steps of the template are left in " in verified.out
    measured = restbench(REPOSITORY, "bench", str(folder), "--suite", "hello", *out)
    assert measured.has_measured, measured.err
    assert (tmp_path / "out/results/python/mine.json").is_file()
    shutil.copytree(folder, tmp_path / "before/mine")
    (folder / "app.py").write_text(f"{(folder / 'app.py').read_text()}\n# changed\n")
    compared = restbench(REPOSITORY, "compare", str(tmp_path / "before/mine"), str(folder), "--suite", "hello", *out)
    assert compared.code == 0, compared.err
    assert "What differs: code mine/app.py" in compared.out
    assert "Base and head are files that no commit has; profile smoke" in compared.out
    assert sorted(path.name for path in folder.iterdir()) == [
        "app.py", "framework.toml", "requirements.in", "requirements.txt",
    ]  # fmt: skip


def test_list_does_not_wait_for_what_it_does_not_need() -> None:
    """`restbench list` answers in under half a second because it loads neither scipy nor httpx."""
    code = (
        "import sys, restbench.cli, restbench.commands.listing; print({'scipy', 'numpy', 'httpx'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_doctor_says_what_is_there() -> None:
    ran = restbench(REPOSITORY, "doctor")
    for what in ("wrk", "oha", "Docker", "CPUs", "cgroups"):
        assert what in ran.out
    assert (WRK.version() or "missing") in ran.out
