"""Artifacts are uploaded and downloaded by the rules of the real actions. The client that transfers them is a fake."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.workflows.stand_ins import Ran, ran_with_node

pytestmark = pytest.mark.needs("node")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder in which a step runs."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def downloaded(folder: Path, artifacts: list[dict[str, Any]], **given: str) -> Ran:
    return ran_with_node("download-artifact", folder, {"ARTIFACTS": json.dumps(artifacts)}, given)


PLAN, JOB, OTHER_JOB = {"id": 1, "name": "plan"}, {"id": 2, "name": "job-a"}, {"id": 3, "name": "job-b"}


def test_several_artifacts_are_unpacked_into_folders_of_their_names(work: Path) -> None:
    assert downloaded(work, [PLAN, JOB, OTHER_JOB], pattern="job-*", path="jobs").returncode == 0
    assert files_in(work) == {"jobs/job-a/id", "jobs/job-b/id"}


def test_a_single_artifact_that_fits_a_pattern_is_unpacked_flat(work: Path) -> None:
    assert downloaded(work, [PLAN, JOB], pattern="job-*", path="jobs").returncode == 0
    assert files_in(work) == {"jobs/id"}


def test_a_pattern_may_have_braces(work: Path) -> None:
    assert downloaded(work, [PLAN, JOB, OTHER_JOB], pattern="{plan,job-a}", path="jobs").returncode == 0
    assert files_in(work) == {"jobs/plan/id", "jobs/job-a/id"}


def test_an_artifact_that_is_named_is_unpacked_flat_and_no_pattern_counts(work: Path) -> None:
    assert downloaded(work, [PLAN, JOB, OTHER_JOB], name="plan", pattern="job-*", path="there").returncode == 0
    assert files_in(work) == {"there/id"}
    assert (work / "there/id").read_text() == "1"


def test_without_name_and_pattern_all_artifacts_come_into_the_work_space(work: Path) -> None:
    assert downloaded(work, [PLAN, JOB]).returncode == 0
    assert files_in(work) == {"plan/id", "job-a/id"}


def test_of_artifacts_of_one_name_the_newest_is_taken(work: Path) -> None:
    """An earlier attempt of the run has uploaded one too."""
    assert downloaded(work, [{**JOB, "id": 7}, JOB, OTHER_JOB], pattern="job-*", path="jobs").returncode == 0
    assert (work / "jobs/job-a/id").read_text() == "7"


def test_several_artifacts_of_one_name_count_as_one(work: Path) -> None:
    assert downloaded(work, [JOB, {**JOB, "id": 7}], pattern="job-*", path="jobs").returncode == 0
    assert files_in(work) == {"jobs/id"}


def test_a_name_that_no_artifact_has_is_an_error(work: Path) -> None:
    said = downloaded(work, [PLAN], name="job-a")
    assert said.returncode == 1
    assert "::error::Unable to download artifact(s): Artifact 'job-a' not found" in said.stdout


def test_a_pattern_that_fits_nothing_is_no_error(work: Path) -> None:
    said = downloaded(work, [PLAN], pattern="job-*")
    assert said.returncode == 0
    assert "Total of 0 artifact(s) downloaded" in said.stdout
    assert files_in(work) == set()


def test_a_damaged_artifact_is_an_error(work: Path) -> None:
    said = downloaded(work, [PLAN, {**JOB, "digest": "of other bytes"}], path="jobs")
    assert said.returncode == 1
    assert "Digest validation failed for artifact(s): job-a" in said.stdout


def uploaded(folder: Path, path: str, **given: str) -> Ran:
    return ran_with_node("upload-artifact", folder, {}, {"name": "mine", "path": path, **given})


def names_of(said: Ran) -> set[str]:
    """The names that files have in the artifact."""
    (line,) = [line for line in said.stdout.splitlines() if line.startswith("uploaded ")]
    artifact = json.loads(line.removeprefix("uploaded "))
    assert artifact["name"] == "mine"
    return {os.path.relpath(path, artifact["root"]) for path in artifact["files"]}


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def test_hidden_files_are_left_out_and_files_in_hidden_folders_too(work: Path) -> None:
    write(work, "out/README.md", "out/.hidden", "out/.cache/inner", "out/results/.hidden/inner")
    assert names_of(uploaded(work, "out")) == {"README.md"}
    assert "No files were found" in uploaded(work, "out/.cache").stdout


def test_a_folder_above_the_path_may_be_hidden(work: Path) -> None:
    write(work, ".restbench/out/a")
    assert names_of(uploaded(work, ".restbench/out")) == {"a"}


def test_a_folder_is_uploaded_without_its_name(work: Path) -> None:
    write(work, "out/README.md", "out/results/a.json")
    assert names_of(uploaded(work, "out")) == {"README.md", "results/a.json"}


def test_links_are_followed_and_broken_ones_are_left_out(work: Path) -> None:
    write(work, "out/a", "elsewhere/b")
    (work / "out/link").symlink_to(work / "elsewhere")
    (work / "out/broken").symlink_to(work / "nowhere")
    assert names_of(uploaded(work, "out")) == {"a", "link/b"}


def test_a_single_file_is_uploaded_without_its_folder(work: Path) -> None:
    write(work, "plan/plan.json")
    assert names_of(uploaded(work, "plan/plan.json")) == {"plan.json"}


@pytest.mark.parametrize("there", [["comparison.json", "comparison.md"], ["comparison.md"], ["comparison.json"]])
def test_of_several_paths_the_common_folder_is_the_root_also_where_some_are_missing(
    work: Path, there: list[str]
) -> None:
    write(work, *(f"out/{name}" for name in there))
    assert names_of(uploaded(work, "out/comparison.json\nout/comparison.md\n")) == set(there)


def test_a_path_under_another_changes_nothing(work: Path) -> None:
    write(work, "out/a", "out/inner/b")
    assert names_of(uploaded(work, "# all of it\nout\n\nout/inner\n")) == {"a", "inner/b"}


def test_this_stand_in_refuses_patterns(work: Path) -> None:
    write(work, "out/a")
    said = uploaded(work, "out/*")
    assert said.returncode == 1
    assert "this stand-in knows plain paths only" in said.stdout


@pytest.mark.parametrize(
    ("choice", "code", "line"),
    [
        ({}, 0, "::warning::No files were found"),
        ({"if-no-files-found": "ignore"}, 0, "No files were found"),
        ({"if-no-files-found": "error"}, 1, "::error::No files were found"),
        ({"if-no-files-found": "panic"}, 1, "::error::Unrecognized if-no-files-found input"),
    ],
)
def test_what_happens_without_files_is_an_input(work: Path, choice: dict[str, str], code: int, line: str) -> None:
    (work / "out/empty").mkdir(parents=True)
    said = uploaded(work, "out", **choice)
    assert said.returncode == code
    assert said.stdout.startswith(line)
    assert "uploaded " not in said.stdout
