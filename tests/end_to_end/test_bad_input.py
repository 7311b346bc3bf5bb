"""What goes wrong gets one clear line and the right exit code; the others are measured and nothing is lost."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from restbench.results.files import read_folder
from restbench.system.repository import Repository
from tests.end_to_end.made import in_background, made_repository, marked_processes, path_without, restbench, wait_until
from tests.made.programs import a_program

pytestmark = pytest.mark.slow
SMOKE = ("--profile", "smoke", "--target", "native")


FAULTS = {
    "unbuildable": (
        "unbuildable/unbuildable: build: unbuildable/unbuildable: the build failed with code 2",
        "compiler says no",
    ),
    "exits": ("test/exits: start: test/exits: the app exited with code 3 before it answered", "no licence found"),
    "dies": ("test/dies: alive: test/dies: the app exited with code 7 under load", ""),
    "wrong": (
        "test/wrong/hello/hello_world: connections: GET /hello_world: expected the body Hello World",
        "Hello, World!",
    ),
}


@pytest.mark.needs("wrk")
@pytest.mark.parametrize("fault", FAULTS)
def test_an_entry_that_fails_is_named_and_the_other_is_measured(tmp_path: Path, fault: str) -> None:
    repository = made_repository(tmp_path / "repository", "good", fault)
    ran = restbench(repository, "bench", "all", *SMOKE)
    line, detail = FAULTS[fault]
    assert ran.code == 1
    assert line in ran.err
    assert detail in ran.err
    results = read_folder(repository.out / "results")
    assert results["test/good"].cells[0].measured
    failed = results["unbuildable/unbuildable" if fault == "unbuildable" else f"test/{fault}"].cells[0]
    assert failed.failure is not None
    assert not failed.measured
    assert marked_processes(repository) == []


def test_what_cannot_be_built_costs_no_other_its_build(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good", "unbuildable")
    ran = restbench(repository, "build", "all", "--target", "native")
    assert (ran.code, ran.err) == (1, "1 of 2 were not built: unbuildable/unbuildable\n")
    assert "✓ test/good" in ran.out
    assert "✗ unbuildable/unbuildable: the build failed with code 2" in ran.out
    assert "compiler says no" in ran.out
    assert marked_processes(repository) == []


@pytest.mark.needs("wrk")
def test_a_malformed_manifest_is_named_and_the_others_are_measured(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good", "other")
    (repository.frameworks / "test/other/framework.toml").write_text("title = [\n")
    ran = restbench(repository, "bench", "test/*", *SMOKE)
    assert ran.code == 2
    assert "frameworks/test/other/framework.toml: is not TOML: " in ran.err
    assert set(read_folder(repository.out / "results")) == {"test/good"}


@pytest.mark.needs("wrk")
def test_a_taken_port_is_named_with_who_holds_it(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        ran = restbench(repository, "bench", "test/good", *SMOKE, "--port", str(port))
    assert ran.code == 1
    assert f"test/good: port {port} is taken by python" in ran.err
    assert f"(PID {os.getpid()}): stop it, or choose others with --port" in ran.err


def test_without_wrk_nothing_is_measured_and_the_remedy_is_named(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    ran = restbench(repository, "bench", "test/good", *SMOKE, env={"PATH": path_without(tmp_path / "bin", "wrk")})
    assert (ran.code, ran.err.strip()) == (3, "wrk is missing: install it with: apt-get install wrk")


def test_a_machine_that_allows_too_few_open_files_is_named_before_anything_is_built(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    for words in (["bench", "test/good", *SMOKE], ["verify", "test/good", "--target", "native"]):
        ran = restbench(repository, *words, through=("prlimit", "--nofile=64:64"))
        assert ran.code == 3
        assert ran.err.startswith(
            "this machine allows 64 open files, and a run needs 256: raise the hard limit as root"
        )
        assert (repository.state / "logs").exists() is False


@pytest.mark.needs("wrk")
def test_a_lower_limit_of_open_files_is_enough_to_verify_and_to_measure(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    few = ("prlimit", "--nofile=256:256")
    assert restbench(repository, "verify", "test/good", "--target", "native", through=few).code == 0
    assert restbench(repository, "bench", "test/good", *SMOKE, through=few).has_measured


CRASHES = f"""\
[ "$1" = --version ] && exec {shutil.which("wrk")} --version
kill -SEGV $$"""


@pytest.mark.needs("wrk")
def test_a_load_generator_that_crashes_fails_no_entry(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    program = a_program(tmp_path / "bin/wrk", CRASHES)
    crashing = {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    ran = restbench(repository, "verify", "test/good", "--target", "native", env=crashing)
    assert (ran.code, "broke a rule" in ran.err) == (3, False)
    assert "  - wrk was ended by signal 11\n" in ran.out
    assert "1 of 1 not verified: test/good\n" in ran.err
    ran = restbench(repository, "bench", "test/good", *SMOKE, env=crashing)
    assert ran.code == 3
    assert "- test/good: wrk was ended by signal 11\n" in ran.err
    assert "1 of 1 not measured to the end: test/good\n" in ran.err
    (cell,) = read_folder(repository.out / "results")["test/good"].cells
    assert (cell.failure, cell.not_run) == (None, "wrk was ended by signal 11")


@pytest.mark.needs("wrk")
def test_without_oha_only_the_fixed_rate_is_missing(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    nowhere = {"PATH": path_without(tmp_path / "bin", "oha"), "CARGO_HOME": str(tmp_path)}
    ran = restbench(repository, "bench", "test/good", *SMOKE, env=nowhere)
    assert ran.has_measured
    assert ran.err.index("percentiles are not measured: oha is missing") < ran.err.index("rounds, about")
    assert "not measured: oha was missing" in (repository.out / "report.html").read_text().replace("\xa0", " ")
    assert read_folder(repository.out / "results")["test/good"].cells[0].latency == []


@pytest.mark.needs("wrk")
def test_a_second_run_into_the_same_folder_says_who_writes_there(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "hangs")
    words = ["bench", "test/hangs", "--target", "native", "--profile", "smoke"]
    with in_background(repository, *words) as first:
        wait_until(lambda: len(marked_processes(repository)) > 0)
        second = restbench(repository, *words)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)
    assert second.code == 2
    who = rf"restbench {' '.join(words)} \(PID {first.pid}, since \d\d:\d\d\)"
    assert re.fullmatch(rf"{repository.out} is being written by {who}: wait for it, .*\n", second.err), second.err


@pytest.mark.needs("wrk")
def test_truncated_results_are_refused_by_name_and_untouched(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    assert restbench(repository, "bench", "test/good", *SMOKE).has_measured
    run = repository.out / "results"
    assert restbench(repository, "merge", str(run)).code == 0
    published = repository.results / "latest/test/good.json"
    published.write_bytes(published.read_bytes()[:-50])
    broken = published.read_bytes()
    for words in (["merge", str(run)], ["render"]):
        ran = restbench(repository, *words)
        assert ran.code == 4
        assert "latest/test/good.json: is not whole JSON" in ran.err
        assert published.read_bytes() == broken
    newer = json.loads((run / "test/good.json").read_text()) | {"schema_version": 99}
    (run / "test/good.json").write_text(json.dumps(newer))
    ran = restbench(repository, "merge", str(run))
    assert ran.code == 4
    assert "was written by a newer restbench (schema 99" in ran.err


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for a few pages."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, check=False, capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.needs("wrk", "mount")
def test_a_full_disk_stops_the_run_and_keeps_whole_rounds(tmp_path: Path, tiny_disk: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    (tiny_disk / "filler").write_bytes(b"x" * 56 * 1024)
    words = ["bench", "test/good", "--profile", "quick", "--target", "native", "--out", str(tiny_disk)]
    ran = restbench(repository, *words)
    assert ran.code == 4
    assert "No space left on device" in ran.err
    lines = (tiny_disk / "rounds.jsonl").read_text().splitlines()
    assert lines
    assert json.loads(lines[0])["profile"] == "quick"
    assert all(json.loads(line)["cell"] == "test/good/hello/hello_world" for line in lines[1:])
    assert [p.name for p in tiny_disk.iterdir() if p.name not in ("filler", "rounds.jsonl", "results")] == []
    assert marked_processes(repository) == []


def needing(repository: Repository, app: str, command: str) -> None:
    """Gives an app a command that its build needs."""
    manifest = repository.frameworks / "test" / app / "framework.toml"
    manifest.write_text(f'commands.{command} = {{ debian = "{command}-pkg" }}\n' + manifest.read_text())


@pytest.mark.parametrize("command", ["build", "verify", pytest.param("bench", marks=pytest.mark.needs("wrk"))])
def test_an_entry_that_this_machine_cannot_have_is_named_and_no_failure(tmp_path: Path, command: str) -> None:
    repository = made_repository(tmp_path / "repository", "good", "other", "another")
    needing(repository, "other", "nosuchcc")
    needing(repository, "another", "nosuchcc")
    ran = restbench(repository, command, "all", *(SMOKE if command == "bench" else ("--target", "native")))
    assert ran.has_measured, ran.err
    remedy = "nosuchcc is missing: install it with: apt-get install nosuchcc-pkg"
    assert f"left out: test/another, test/other: {remedy}\n" in ran.err
    assert ran.err.count("nosuchcc-pkg") == 1


def test_where_all_that_was_asked_for_cannot_be_had_nothing_is_verified(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good", "other")
    needing(repository, "other", "nosuchcc")
    ran = restbench(repository, "verify", "test/other", "--target", "native")
    assert ran.code == 3
    assert "nosuchcc is missing: install it with: apt-get install nosuchcc-pkg" in ran.err
    assert ran.out == ""


@pytest.mark.needs("wrk")
def test_as_json_a_document_is_all_that_is_on_standard_output(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good", "exits")
    ran = restbench(repository, "verify", "all", "--target", "native", "--json")
    assert ran.code == 1
    by_entry = {each["entry"]: each for each in json.loads(ran.out)["entries"]}
    assert set(by_entry) == {"test/good", "test/exits"}
    assert by_entry["test/exits"]["error"] == "test/exits: the app exited with code 3 before it answered"


@pytest.mark.needs("wrk")
def test_a_quiet_verification_says_only_its_result(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "repository", "good")
    ran = restbench(repository, "verify", "all", "--target", "native", "--quiet", "--seed", "7")
    assert (ran.code, ran.out, ran.err) == (0, "1 of 1 kept every rule (native, seed 7)\n", "")
