"""What make and scripts say of input that is wrong, or somebody else's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.system.repository import find_repository
from tests.made.programs import a_program

ROOT = find_repository().root


@pytest.mark.parametrize(
    ("text", "words", "code", "message"),
    [
        ("[nothing]", [], 1, "no job called * in {path}"),
        ('{"jobs": [{}]}', [], 1, "{path}: is not GitHub's answer about the jobs of a run"),
        ("[a/b ] 🏁  Job succeeded\n", ["--runners", "0"], 2, "job-times: error: --runners 0: needs at least 1"),
        (None, [], 1, "{path}: cannot be read (No such file or directory)"),
    ],
)
def test_what_job_times_cannot_read_is_reported_in_a_line(
    text: str | None, words: list[str], code: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / ("jobs.json" if text and text.startswith("{") else "act.log")
    if text:
        path.write_text(text)
    ran = subprocess.run([ROOT / "scripts/job-times", str(path), *words], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert ran.stderr.splitlines()[-1] == message.format(path=path)


def test_the_minutes_of_a_board_are_those_of_a_job_for_each_entry_and_one_for_all_baselines(tmp_path: Path) -> None:
    minutes = {}
    for cache in ("warm", "cold"):
        argv = [sys.executable, str(ROOT / "scripts/board-minutes"), f"--cache={cache}", "--profile=quick"]
        ran = subprocess.run(argv, capture_output=True, text=True, check=True)
        (tmp_path / cache).write_text(ran.stdout)
        ran = subprocess.run([ROOT / "scripts/job-times", tmp_path / cache], capture_output=True, text=True, check=True)
        jobs, *_, minutes[cache] = (line.split()[0] for line in ran.stdout.splitlines()[-1].split("; "))
        assert int(jobs) == len(load_catalog(find_repository()).ranked) + 1
    assert 0 < float(minutes["warm"]) < float(minutes["cold"])


@pytest.mark.needs("make")
def test_make_takes_no_variables_of_the_environment() -> None:
    held = dict.fromkeys(("TARGET", "PROFILE", "SUITES", "FRAMEWORKS", "SINCE"), "somebody's") | {"INSTALL": "0"}
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    argv = ["make", "--dry-run", "--always-make", "verify", "SUITES=hello,workload"]
    ran = subprocess.run(argv, cwd=ROOT, env=outer | held, capture_output=True, text=True, check=True)
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines() if ".venv/bin/restbench" in line]
    assert lines == [
        f"RESTBENCH_MAKE_TARGET={word} .venv/bin/restbench {word} --suite='hello' --suite='workload'"
        for word in ("prepare", "verify")
    ]


def made(*words: str) -> subprocess.CompletedProcess[str]:
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *words], cwd=ROOT, env=outer, capture_output=True, text=True, check=False)


@pytest.mark.needs("make")
def test_make_help_has_four_groups_and_every_target() -> None:
    said = made("help").stdout
    *groups, variables = said.split("\n\n")
    headings = [group.splitlines()[0] for group in groups]
    assert headings == ["Begin", "Add an entry", "Publish a board", "Develop restbench"]
    targets = re.findall(r"(?m)^  ([a-z][a-z-]+) ", said)
    assert targets[:2] == ["bench", "test"]
    phony = re.search(r"(?m)^\.PHONY: (.*)$", (ROOT / "Makefile").read_text())
    assert phony
    assert {*targets, "prepare"} == set(phony[1].split())
    assert variables.startswith("Variables\n")
    assert "  RESUME=1 " in variables


@pytest.mark.needs("make")
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_make_help_fits_the_terminal(columns: int) -> None:
    argv = ["awk", "-v", f"columns={columns}", "-f", "scripts/help.awk", "Makefile"]
    lines = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert max(map(len, lines)) <= min(columns, 80)


@pytest.mark.needs("make")
def test_what_a_run_would_refuse_is_checked_before_anything_is_installed() -> None:
    ran = made("--dry-run", "bench", "PROFILE=fast", "FRAMEWORKS=python,go/gin", "SUITES=hello", "TARGET=native")
    prepare, bench = [" ".join(line.split()[2:]) for line in ran.stdout.splitlines() if "bin/restbench" in line]
    asked = "'python' 'go/gin' --suite='hello' --profile='fast' --target='native'"
    assert (prepare, bench) == (f"prepare {asked}", f"bench {asked}")


@pytest.mark.needs("make")
@pytest.mark.parametrize("target", ["bench", "board"])
def test_a_run_is_resumed_without_preparing_anything(target: str) -> None:
    lines = [
        line.split()[2:] for line in made("--dry-run", target, "RESUME=1").stdout.splitlines() if "bin/rest" in line
    ]
    assert lines[0] == ["bench", "--resume"]


@pytest.mark.needs("make")
@pytest.mark.parametrize("target", ["serve", "new", "warm-up"])
def test_a_target_for_one_entry_says_first_that_it_has_none(target: str) -> None:
    ran = made("--dry-run", target)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"name an entry: make {target} FRAMEWORK=python/" in ran.stderr


CONTAINER = 'use a container: docker run --rm -it -v "$PWD:/restbench" -w /restbench python:3.13-slim-trixie sh -c \''


@pytest.mark.needs("make")
@pytest.mark.parametrize("words", [["bench", "PROFILE=smoke"], ["verify"], ["test"], ["list"], ["bench", "RESUME=1"]])
@pytest.mark.parametrize(
    ("system", "kernel", "named", "remedy"),
    [
        ("Darwin", "23.5.0", "macOS", CONTAINER),
        ("FreeBSD", "14.1-RELEASE", "FreeBSD", CONTAINER),
        ("MINGW64_NT-10.0-22631", "3.4.10.x86_64", "Windows", "use WSL 2: in PowerShell: wsl --install "),
        ("CYGWIN_NT-10.0", "3.5.3-1.x86_64", "Windows", "use WSL 2: in PowerShell: wsl --install "),
        ("Linux", "4.4.0-19041-Microsoft", "WSL 1", "make it WSL 2, in PowerShell: wsl --set-version Debian 2"),
    ],
)
def test_another_system_is_told_in_a_line_what_to_use(
    words: list[str], system: str, kernel: str, named: str, remedy: str, tmp_path: Path
) -> None:
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", "pyproject.toml", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").mkdir()
    for stamp in ("ready", "dev-ready"):  # a container has set up this folder
        (tmp_path / ".venv" / f".restbench-{stamp}").touch()
    a_program(tmp_path / "bin/uname", f"case $1 in -r) echo {kernel};; *) echo {system};; esac")
    outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "WSL_"))}
    env = outer | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    ran = subprocess.run(["make", *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    line, *rest = ran.stderr.splitlines()
    needed = f"restbench needs Linux's counters of CPU time and CPUs to pin, which {named} has not: "
    assert line.startswith(f"{needed}{remedy}")
    assert all(each.startswith("make: *** ") for each in rest)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert subprocess.run(["make", "help"], cwd=tmp_path, env=env, capture_output=True, check=False).returncode == 0
