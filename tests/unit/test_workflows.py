"""What linters say of our workflows, and what they do not know."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from restbench.catalog.profiles import find_profile
from restbench.system.repository import find_repository
from tests.unit.repositories import git

ROOT = find_repository().root
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TESTS = ROOT / ".github/workflows/tests.yml"
SECRETS = re.compile(r"\bsecrets\.")


def parsed(path: Path) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(path.read_text())
    return found


def named(name: str) -> dict[Any, Any]:
    return parsed(ROOT / ".github/workflows" / f"{name}.yml")


def jobs_with_steps(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The jobs of a workflow, without those that are another workflow of ours."""
    for name, job in parsed(path)["jobs"].items():
        if not job.get("uses", "").startswith("./.github/workflows/"):
            yield name, job


def uses() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each step of our workflows and actions that uses an action of others: its name without the owner, its inputs."""
    for document in map(parsed, [*WORKFLOWS, *(ROOT / ".github/actions").rglob("action.yml")]):
        jobs = [*document.get("jobs", {}).values(), document.get("runs", {})]
        for step in [step for job in jobs for step in job.get("steps", [])]:
            name, at, _ = step.get("uses", "").partition("@")
            if at:
                yield name.partition("/")[2], step.get("with", {})


@pytest.mark.needs("actionlint")
def test_linters_have_nothing_to_say() -> None:
    """`make lint` says it too, and goes on without actionlint where that is missing."""
    ran = subprocess.run(["scripts/lint-workflows"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_nothing_may_be_done_unless_a_job_asks_for_it(path: Path) -> None:
    workflow = parsed(path)
    assert workflow["permissions"] == {}
    assert all("permissions" in job for job in workflow["jobs"].values())
    assert all("timeout-minutes" in job for _, job in jobs_with_steps(path))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_queues_are_what_github_knows(path: Path) -> None:
    """actionlint does not check this key yet (.github/actionlint.yaml)."""
    workflow = parsed(path)
    found = [part["concurrency"] for part in [workflow, *workflow["jobs"].values()] if "concurrency" in part]
    assert found or path.stem in ("compare", "publish")  # their callers say what waits
    for concurrency in found:
        assert concurrency.get("queue", "single") in ("single", "max")
        assert not (concurrency.get("queue") == "max" and concurrency["cancel-in-progress"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_only_jobs_with_permissions_to_read_write_caches(path: Path) -> None:
    """actionlint does not check this key yet either. A job that may write elsewhere uses no cache at all."""
    workflow = parsed(path)
    for _, job in jobs_with_steps(path):
        mode = job.get("cache-mode", workflow["cache-mode"])
        assert mode in ("read", "write", "none")
        assert mode == "none" or set(job["permissions"].values()) <= {"read"}
        assert mode != "write" or path.stem == "benchmark"


@pytest.mark.parametrize("name", ["pull-request", "compare", "tests"])
def test_code_of_strangers_can_only_read(name: str) -> None:
    text = (ROOT / ".github/workflows" / f"{name}.yml").read_text()
    for job, about in named(name)["jobs"].items():
        assert about["permissions"] == ({} if job == "ok" else {"contents": "read"})
    assert not SECRETS.search(text)
    assert "github.token" not in text
    assert "cache-to" not in text
    assert "save-caches" not in text


def test_the_comment_runs_nothing_of_the_pull_request() -> None:
    (job,) = named("comment")["jobs"].values()
    checkouts = [step for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
    assert all("ref" not in step["with"] and "repository" not in step["with"] for step in checkouts)
    assert not any("download-artifact" in step.get("uses", "") for step in job["steps"])


WRITING = {
    ("publish", "push"): {
        "contents": [
            "actions/checkout",
            "actions/download-artifact",
            "scripts/push-publication publication",
        ]
    },
    ("benchmark", "report"): {
        "issues": [
            "actions/checkout",
            "./.github/actions/prepare",
            ".venv/bin/restbench ci report-regressions",
        ]
    },
    ("watch", "watch"): {
        "issues": [
            "actions/checkout",
            "./.github/actions/prepare",
            ".venv/bin/restbench ci report-alarms",
        ]
    },
    ("comment", "comment"): {
        "pull-requests": [
            "actions/checkout",
            "./.github/actions/prepare",
            '.venv/bin/restbench ci comment "${RUN}" --head "${HEAD}"',
        ]
    },
}
"""What runs where a token may write: workflow and job → permission → the steps.

Packages of others run with a token that may write issues or comments. With one that may write contents, only git runs:
tests/unit/test_push_publication.py lists the programs.
"""


def test_what_runs_with_a_token_that_may_write_is_known() -> None:
    found = {}
    for path in WORKFLOWS:
        for name, job in jobs_with_steps(path):
            written = [what for what, how in job["permissions"].items() if how == "write"]
            steps = [step["uses"].partition("@")[0] if "uses" in step else step["run"] for step in job["steps"]]
            if written:
                found[path.stem, name] = dict.fromkeys(written, steps)
    assert found == WRITING


def test_the_key_that_passes_the_rules_of_main_is_given_to_one_step() -> None:
    """A workflow that is called has it only from its caller, and its job reads that of its environment."""
    assert named("publish")["jobs"]["push"]["environment"] == "publication"
    steps = [
        (path.stem, name, step.get("run"))
        for path in WORKFLOWS
        for name, job in jobs_with_steps(path)
        for step in job["steps"]
        if "PUBLISH_KEY" in str(step)
    ]
    assert steps == [("publish", "push", "scripts/push-publication publication")]
    jobs = [job for path in WORKFLOWS for job in parsed(path)["jobs"].values() if "PUBLISH_KEY" in str(job)]
    assert [job["uses"] for job in jobs if "uses" in job] == ["./.github/workflows/publish.yml"] * 2
    assert not any("PUBLISH_KEY" in str(parsed(path).get("env")) for path in WORKFLOWS)
    assert not any("PUBLISH_KEY" in str(job.get("env")) for job in jobs)


def test_of_the_jobs_of_a_publication_only_one_may_write() -> None:
    """A job that calls a workflow gives the most that its jobs may have, and each of them takes what it needs."""
    calls = [job for job in named("benchmark")["jobs"].values() if job.get("uses", "").endswith("publish.yml")]
    assert [job["permissions"] for job in calls] == [{"contents": "write"}] * 2
    assert named("publish")["jobs"]["make"]["permissions"] == {"contents": "read"}


def test_actions_have_one_commit_each() -> None:
    """The same action at two commits would be a bump that somebody forgot."""
    files = [*WORKFLOWS, *(ROOT / ".github/actions").rglob("action.yml")]
    uses = {line for path in files for line in re.findall(r"uses: ([^.\s].*)", path.read_text())}
    by_repository: dict[str, set[str]] = {}
    for use in uses:
        match = re.fullmatch(r"([\w-]+/[\w-]+)(?:/[\w/-]+)?@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", use)
        assert match, use
        by_repository.setdefault(match[1], set()).add(match[2] + match[3])
    assert all(len(pins) == 1 for pins in by_repository.values())


def test_a_download_by_a_pattern_fits_the_plan_too() -> None:
    """Since v5 the action unpacks a single artifact that fits a pattern without a folder of its name."""
    (pattern,) = [given["pattern"] for action, given in uses() if action == "download-artifact" and "pattern" in given]
    assert "plan" in pattern.strip("{}").split(",")


def test_images_are_built_from_the_work_tree_and_put_into_the_engine() -> None:
    """Without a source, the action builds what GitHub has of the commit. Those of a plan go only into the cache."""
    baked = {given["targets"]: given for action, given in uses() if action == "bake-action"}
    assert {given.get("source") for given in baked.values()} == {"."}
    assert {name: given["load"] for name, given in baked.items()} == {
        "shared": "${{ inputs.plan == '' }}",
        "head": True,
        "base": True,
    }


def test_layers_are_written_only_on_the_default_branch() -> None:
    """A run by hand of another branch would take the room of main's layers: GitHub keeps 10 GB for all branches.

    Base and head of a comparison are built from what is there. A pull request has a scope that nobody reads.
    """
    asked = named("benchmark")["env"]["CACHE"].split()
    assert " ".join(asked) == (
        "${{ vars.IMAGE_CACHE == 'off' && 'off' || "
        "github.ref == format('refs/heads/{0}', github.event.repository.default_branch) && 'write' || 'read' }}"
    )
    assert named("compare")["jobs"]["compare"]["env"]["CACHE"] == "${{ vars.IMAGE_CACHE == 'off' && 'off' || 'read' }}"
    assert [path.stem for path in WORKFLOWS if "'write'" in path.read_text()] == ["benchmark"]


def test_actions_get_the_inputs_that_they_have() -> None:
    """actionlint knows the inputs of a version and not of a commit. The stand-ins for the actions have these inputs."""
    for action, given in uses():
        if action == "checkout" and "ref" not in given:
            continue  # act does these itself, so its stand-in has other inputs
        known = parsed(ROOT / "tests/workflows/actions" / action / "action.yml")["inputs"]
        assert set(given) <= set(known), action
        required = {name for name, about in known.items() if about.get("required") and "default" not in about}
        assert required <= set(given), action


def test_a_job_that_is_run_again_finds_what_it_needs() -> None:
    """GitHub lets a run be run again for 30 days (docs.github.com, "Re-running workflows and jobs")."""
    days = [inputs.get("retention-days") for name, inputs in uses() if name == "upload-artifact"]
    assert len(days) > 4
    assert set(days) == {30}


def test_a_comparison_is_of_all_suites() -> None:
    """The next comparison begins where this one ends, so what this one leaves out would never be compared."""
    assert set(named("benchmark")["jobs"]["compare"]["with"]) == {"jobs"}


def prepared(name: str, job: str) -> str:
    """The load generators of a job."""
    (found,) = [
        step.get("with", {}).get("load-generators", "all")
        for step in named(name)["jobs"][job]["steps"]
        if step.get("uses") == "./.github/actions/prepare"
    ]
    return str(found)


def test_a_job_installs_what_it_uses() -> None:
    """oha takes five minutes where it is not cached, and comparisons measure no latency at a fixed rate."""
    assert find_profile("pr").latency_rounds == 0
    assert {(path.stem, job): prepared(path.stem, job) for path in WORKFLOWS for job in jobs_that_prepare(path)} == {
        ("benchmark", "plan"): "oha",
        ("benchmark", "measure"): "all",
        ("benchmark", "report"): "none",
        ("publish", "make"): "none",
        ("comment", "comment"): "none",
        ("watch", "watch"): "none",
        ("pull-request", "plan"): "none",
        ("compare", "compare"): "wrk",
        ("tests", "plan"): "none",
        ("tests", "entries"): "wrk",
        ("tests", "native"): "all",
        ("tests", "images"): "all",
        ("tests", "workflows"): "wrk",
        ("tests", "every-entry"): "all",
    }


def jobs_that_prepare(path: Path) -> Iterator[str]:
    for name, job in jobs_with_steps(path):
        if any(step.get("uses") == "./.github/actions/prepare" for step in job["steps"]):
            yield name


def test_a_kernel_package_is_asked_for_by_new_lists() -> None:
    """The lists of a runner's image are weeks old, and superseded kernels are no longer on the servers."""
    action = parsed(ROOT / ".github/actions/prepare/action.yml")
    (step,) = [step for step in action["runs"]["steps"] if step.get("name") == "Load netem"]
    assert step["run"].index("apt-get update") < step["run"].index("apt-get install")


def test_files_of_old_commits_of_a_private_repository_are_fetched_with_the_token() -> None:
    """Git fetches them where a version is checked out beside another one, and later steps have no token."""
    for path in WORKFLOWS:
        for _, job in jobs_with_steps(path):
            filters = [step["with"]["filter"] for step in job["steps"] if "filter" in step.get("with", {})]
            if "git worktree add" in str(job):
                assert filters == ["${{ !github.event.repository.private && 'blob:none' || '' }}"]


@pytest.mark.parametrize(("name", "job"), [("pull-request", "plan"), ("compare", "compare")])
def test_a_pull_request_from_before_a_workflow_is_asked_to_merge_main(name: str, job: str, tmp_path: Path) -> None:
    """GitHub takes the workflow of the merge with main, and the harness is that of the pull request."""
    last = named(name)["jobs"][job]["steps"][-1]
    assert last["if"].startswith("failure()")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/pull-request.yml").write_text("old")
    head = committed(tmp_path)
    (tmp_path / "README.md").write_text("another file")
    same = committed(tmp_path)
    (tmp_path / ".github/pull-request.yml").write_text("new")
    assert run_step(last, tmp_path, HEAD=head, GITHUB_SHA=same).stdout == ""
    assert "merge main into it" in run_step(last, tmp_path, HEAD=head, GITHUB_SHA=committed(tmp_path)).stdout


def committed(repository: Path) -> str:
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "a commit")
    return git(repository, "rev-parse", "HEAD")


def run_step(step: dict[str, Any], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a step as GitHub does (docs.github.com, "jobs.<job_id>.steps[*].shell")."""
    argv = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        argv, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("name", "job"), [("benchmark", "plan"), ("watch", "watch")])
def test_a_fork_runs_nothing_by_itself(name: str, job: str) -> None:
    condition = " ".join(named(name)["jobs"][job]["if"].split())
    assert condition.startswith(
        "github.event_name == 'workflow_dispatch' || (!github.event.repository.fork || vars.RESTBENCH == 'on') && ("
    )


@pytest.mark.parametrize(("code", "green"), [(0, True), (1, True), (2, False), (3, False), (130, False)])
def test_an_entry_that_fails_is_a_result_and_no_broken_job(code: int, *, green: bool, tmp_path: Path) -> None:
    """1 says that a check, a build or a cell failed. The artifact has the reason, and the board shows it."""
    program = tmp_path / ".venv/bin/restbench"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\nexit {code}\n")
    program.chmod(0o755)
    jobs = [named("compare")["jobs"]["compare"], named("benchmark")["jobs"]["measure"]]
    steps = {step.get("name"): step for job in jobs for step in job["steps"]}
    for name in ("Measurement", "Comparison of both versions"):
        ran = run_step(steps[name], tmp_path, FRAMEWORKS="python/falcon", SUITES="", PROFILE="full", FAILED="1")
        assert (ran.returncode == 0) is green


@pytest.mark.parametrize("name", ["pull-request", "tests"])
def test_one_check_of_a_workflow_can_be_required(name: str, tmp_path: Path) -> None:
    """A rule of main can only require a check that each commit has, also in a merge queue."""
    workflow = named(name)
    jobs = workflow["jobs"]
    assert "merge_group" in workflow[True]  # YAML 1.1 reads "on" as a truth value
    assert set(jobs["ok"]["needs"]) == set(jobs) - {"ok"}
    assert "always()" in jobs["ok"]["if"]
    (step,) = jobs["ok"]["steps"]
    for result, code in {"success": 0, "skipped": 0, "failure": 1, "cancelled": 1}.items():
        results = json.dumps(["success", result], indent=2)
        assert run_step(step, tmp_path, RESULTS=results).returncode == code, result
    names = [named(each)["jobs"]["ok"]["name"] for each in ("pull-request", "tests")]
    assert len(set(names)) == 2


def test_every_test_of_a_change_of_the_harness_has_a_job() -> None:
    """`make test` runs what the jobs unit, native and browser run."""
    targets = {step["run"] for _, job in jobs_with_steps(TESTS) for step in job["steps"] if "run" in step}
    for target in ("test-fast", "test-native", "test-browser", "test-touched", "test-extended", "test-without"):
        assert f"make {target}" in targets
    (files,) = [job["strategy"]["matrix"]["file"] for name, job in jobs_with_steps(TESTS) if name == "workflows"]
    assert sorted(files) == sorted(path.stem for path in (ROOT / "tests/workflows").glob("test_*.py"))
    assert "make lint test-files" in targets
