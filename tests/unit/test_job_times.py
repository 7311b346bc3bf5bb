"""scripts/job-times reads what act prints and what GitHub says, and adds up alike."""

import json
import subprocess
from pathlib import Path

from restbench.system.repository import find_repository

SCRIPT = find_repository().root / "scripts/job-times"

ACT = """\
[benchmark/plan         ] ⭐ Run Main ./.github/actions/prepare
[benchmark/plan         ] ⭐ Run Main Set up the harness
[benchmark/plan         ]   ✅  Success - Main Set up the harness [11s]
[benchmark/plan         ]   ✅  Success - Main ./.github/actions/prepare [12s]
[benchmark/plan         ] 🏁  Job succeeded
[benchmark/rust-axum-1  ] ⭐ Run Main docker/build-push-action@53b7df9
[benchmark/python-hug-2 ] ⭐ Run Main Measurement
[benchmark/rust-axum-1  ] ⭐ Run Main [ -z "${CACHES}" ] || exit 1
docker buildx build .
[benchmark/rust-axum-1  ]   | [ 50%] compiling [1m2s]
[benchmark/rust-axum-1  ]   ✅  Success - Main [ -z "${CACHES}" ] || exit 1
docker buildx build .
 [1m0.5s]
[benchmark/rust-axum-1  ]   ✅  Success - Main docker/build-push-action@53b7df9 [1m1.5s]
[benchmark/rust-axum-1  ] ⭐ Run Main Measurement
[benchmark/rust-axum-1  ]   ✅  Success - Main Measurement [2m0.5s]
[benchmark/rust-axum-1  ] ⭐ Run Post docker/build-push-action@53b7df9
[benchmark/rust-axum-1  ]   ✅  Success - Post docker/build-push-action@53b7df9 [900µs]
[benchmark/python-hug-2 ]   ❌  Failure - Main Measurement [59.8s]
"""


def times(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_steps_of_an_action_are_the_actions_whatever_ran_meanwhile(tmp_path: Path) -> None:
    assert times(written(tmp_path / "act.log", ACT)).stdout.splitlines() == [
        "| job | minutes | steps, in seconds |",
        "|---|--:|---|",
        "| plan | 0.2 | prepare 12 |",
        "| rust-axum-1 | 3.0 | build-push-action 62, Measurement 120 |",
        "| python-hug-2 | 1.0 | Measurement 60 |",
        "",
        "3 jobs, 4 job minutes; 3.0 minutes on 20 runners at a time",
    ]


def test_a_job_waits_for_the_first_runner_that_is_free(tmp_path: Path) -> None:
    log = written(tmp_path / "act.log", ACT)
    assert times(log, "--runners", "2").stdout.endswith("; 3.0 minutes on 2 runners at a time\n")
    assert times(log, "--runners", "1").stdout.endswith("; 4.2 minutes on 1 runners at a time\n")


def test_only_the_jobs_asked_for_count(tmp_path: Path) -> None:
    log = written(tmp_path / "act.log", ACT)
    assert times(log, "--only", "*-*").stdout.endswith(
        "\n\n2 jobs, 4 job minutes; 3.0 minutes on 20 runners at a time\n"
    )


def test_pages_of_githubs_answer_are_one_run(tmp_path: Path) -> None:
    def job(name: str, minute: int, conclusion: str | None) -> dict[str, object]:
        began = {"started_at": "2026-11-21T03:00:00Z", "completed_at": f"2026-11-21T03:{minute:02d}:00Z"}
        steps = [
            {"name": "Run docker/build-push-action@53b7df9", **began},
            {"name": "Skipped", "started_at": None, "completed_at": None},
        ]
        return {"name": name, "conclusion": conclusion, "steps": steps, **began}

    pages = [
        {"jobs": [job("rust-axum", 3, "success")]},
        {"jobs": [job("python-hug", 1, "failure"), job("publish", 9, "skipped")]},
    ]
    assert times(written(tmp_path / "jobs.json", json.dumps(pages))).stdout.splitlines()[2:] == [
        "| rust-axum | 3.0 | build-push-action 180 |",
        "| python-hug | 1.0 | build-push-action 60 |",
        "",
        "2 jobs, 4 job minutes; 3.0 minutes on 20 runners at a time",
    ]


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    ran = times(written(tmp_path / "notes.txt", "[nothing]"))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"no job called * in {tmp_path}/notes.txt\n"
    wrong = times(written(tmp_path / "other.json", '{"jobs": [{}]}'))
    assert wrong.stderr == f"{tmp_path}/other.json: is not GitHub's answer about the jobs of a run\n"
    none = times(written(tmp_path / "act.log", ACT), "--runners", "0")
    assert (none.returncode, none.stderr.splitlines()[-1]) == (2, "job-times: error: --runners 0: needs at least 1")
    assert (
        times(str(tmp_path / "nowhere")).stderr == f"{tmp_path}/nowhere: cannot be read (No such file or directory)\n"
    )
