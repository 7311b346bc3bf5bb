"""The main job, with real wrk and real entries."""

import subprocess
import sys
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.loadgen import Oha, Wrk
from restbench.repository import Repository, find_repository
from restbench.results.files import read_folder
from restbench.results.models import EntryResult
from restbench.targets.links import delay_trouble
from tests.end_to_end.made import restbench

REPOSITORY = find_repository()


def git_status() -> str:
    return subprocess.run(
        ["git", "status", "--porcelain"], cwd=REPOSITORY.root, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
def test_a_bench_of_falcon_from_catalogue_to_report(tmp_path: Path) -> None:
    dirty = git_status()
    words = ["bench", "python/falcon", "--profile", "smoke", "--target", "native", "--out", str(tmp_path)]
    ran = restbench(REPOSITORY, *words)
    assert ran.code == 0, ran.err
    results = read_folder(tmp_path / "results")
    assert set(results) == {"python/falcon", "reference/nginx"}
    check_measured(results["python/falcon"])
    (reference,) = results["reference/nginx"].cells[0].rounds
    beside_it = [cell for cell in results["python/falcon"].cells if cell.suite != "workload" and cell.rounds]
    ratios = {cell.rounds[0].reference_throughput for cell in beside_it}
    assert ratios == {None if reference.invalid else reference.paced_throughput}
    readme, report = (tmp_path / "README.md").read_text(), (tmp_path / "report.html").read_text()
    for text in (readme, report):
        assert "Falcon" in text
        assert load_catalog(REPOSITORY).entries["python/falcon"].version() or "?" in text
    assert readme.count("https://quickchart.io/chart?") == 1 + 4 * 2 + 2 + 3
    assert "Ceiling: without an app the cache answers" in readme
    assert "OpenAPI from annotated code" in readme
    assert "total time of a batch in seconds" in readme
    assert "Falcon 4" in ran.out
    assert git_status() == dirty


def check_measured(result: EntryResult) -> None:
    """Every cell that is loaded has a round whose figures can be true, but for what this machine cannot measure."""
    entry = load_catalog(REPOSITORY).entries[result.entry]
    every = entry.cells(list(entry.suites))
    loaded = [cell for cell in every if entry.scenario(cell).loaded]
    graded = [cell for cell in every if entry.scenario(cell).graded]
    far = [cell for cell in loaded if entry.scenario(cell).link_delay_ms]
    batches = [cell for cell in loaded if entry.scenario(cell).batch]
    cannot = batches if Oha().missing() else far if delay_trouble() else []
    seen = [cell for cell in result.cells if not (cell.rounds or cell.marks)]
    assert len(seen) == len(cannot), [(cell.scenario, cell.failure or cell.not_run) for cell in seen]
    assert [set(cell.marks.values()) for cell in result.cells if cell.marks] == [{True}] * len(graded)
    assert len(result.cells) == len(loaded) + len(graded)
    cells = [cell for cell in result.cells if cell.rounds]
    assert len(cells) == len(loaded) - len(cannot)
    run = next(iter(result.runs.values()))
    assert run.version
    assert run.licence == "Apache-2.0"
    assert run.packages
    assert run.code_lines
    assert run.idle_cpu_share is not None
    assert run.start_seconds
    assert run.start_seconds > 0
    assert run.memory_start_bytes
    for cell in cells:
        assert cell.failure is None
        (round_,) = cell.rounds
        batch = entry.scenario_of(cell.suite, cell.scenario).batch
        # few requests, where other tests took the CPU: then the round says so
        assert round_.requests == batch.requests if batch else round_.requests > (0 if round_.invalid else 100)
        assert round_.errors == {}
        # a small batch may be over before the kernel counts
        assert round_.app_cpu_share < 1.2
        assert batch or round_.app_cpu_share > 0
        assert batch or round_.cpu_us_per_request > 1
        if Oha().missing() is None and not batch:
            assert round_.fixed_rate
            assert round_.fixed_rate.errors == {}
            assert round_.fixed_rate.latency.p50 <= round_.fixed_rate.latency.p99


@pytest.mark.slow
def test_a_new_entry_passes_conformance_for_hello_at_once(tmp_path: Path) -> None:
    (tmp_path / "frameworks").mkdir()
    (tmp_path / "frameworks/python").symlink_to(REPOSITORY.frameworks / "python")
    repository = Repository(tmp_path)
    # the new folder must not land in the real repository: its language is linked file by file
    (tmp_path / "frameworks/python").unlink()
    (tmp_path / "frameworks/python").mkdir()
    for name in ("language.toml", "serve.py", "shared", "template", "Dockerfile"):
        (tmp_path / "frameworks/python" / name).symlink_to(REPOSITORY.frameworks / "python" / name)
    (tmp_path / "fixtures").symlink_to(REPOSITORY.fixtures)
    made = restbench(repository, "new", "python/demo")
    assert made.code == 0, made.err
    assert "frameworks/python/demo/framework.toml" in made.out
    verified = restbench(repository, "verify", "python/demo", "--target", "native")
    assert verified.code == 0, verified.out
    assert "✓ hello_world answer" in verified.out
    again = restbench(repository, "new", "python/demo")
    assert again.code == 2
    assert "is there already" in again.err


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
    assert (Wrk().version() or "not found") in ran.out


def test_help_explains_itself_and_the_exit_codes() -> None:
    ran = restbench(REPOSITORY, "--help")
    text = " ".join(ran.out.replace("│", " ").split())
    for command in ("bench", "verify", "list", "render", "doctor", "new", "merge"):
        assert command in text
    assert "130 interrupted" in text
