"""What make and scripts say of input that is wrong, or somebody else's."""

import os
import subprocess
from pathlib import Path

import pytest

from restbench.system.repository import find_repository

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


@pytest.mark.needs("make")
def test_make_takes_no_variables_of_the_environment() -> None:
    held = dict.fromkeys(("TARGET", "PROFILE", "SUITES", "FRAMEWORKS", "SINCE"), "somebody's") | {"INSTALL": "0"}
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    argv = ["make", "--dry-run", "--always-make", "verify", "SUITES=hello workload"]
    ran = subprocess.run(argv, cwd=ROOT, env=outer | held, capture_output=True, text=True, check=True)
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines() if line.startswith(".venv/bin/restbench")]
    assert lines == [f".venv/bin/restbench {word} --suite='hello' --suite='workload'" for word in ("prepare", "verify")]
