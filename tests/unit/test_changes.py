"""Which entries a change concerns, and which jobs the matrix has."""

import json
import os
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.changes.touched import change_of, changed_files, places_of_harness
from restbench.ci.matrix_jobs import MOST_JOBS, RunPlan, make_jobs, read_plan
from restbench.commands.ci import comparisons
from restbench.commands.matrix import matrix
from restbench.errors import ResultsError, UsageError
from restbench.system.repository import find_repository
from tests.made.records import START
from tests.made.small import small_repository
from tests.unit.repositories import a_clone, a_remote, commit, git

ROOT = small_repository().root


RUST = ["rust/axum", "rust/rocket"]


@pytest.mark.parametrize(
    ("paths", "entries"),
    [
        (["frameworks/python/falcon/app.py", "frameworks/rust/axum/src/main.rs"], ["python/falcon", "rust/axum"]),
        (["frameworks/python/flask/app.py"], ["python/flask", "python/flask-twice"]),  # which runs its code
        (["frameworks/python/flask-twice/requirements.txt"], ["python/flask-twice"]),
        (["frameworks/rust/shared/source.rs"], RUST),
        (["frameworks/rust/Dockerfile"], RUST),
        (["frameworks/rust/build"], RUST),
    ],
)
def test_a_file_concerns_its_entry_or_all_that_share_it(catalog: Catalog, paths: list[str], entries: list[str]) -> None:
    assert [entry.id for entry in change_of(paths, catalog).entries] == entries


@pytest.mark.parametrize(
    "path",
    [
        "frameworks/python/template/app.py.j2",
        "frameworks/not-yet.toml",
        "frameworks/python/removed/app.py",
        "docs/CONTRACT.md",
        "scripts/restbench/render/readme.py",
        ".github/workflows/pull-request.yml",
        "README.md",
        "results/latest/python/falcon.json",
    ],
)
def test_what_is_measured_nowhere_concerns_nobody(catalog: Catalog, path: str) -> None:
    change = change_of([path], catalog)
    assert not change.entries
    assert not change.harness


@pytest.mark.parametrize(
    "path",
    [
        "scripts/restbench/measure/gate.py",
        "fixtures/hello/suite.toml",
        "requirements.txt",
        "frameworks/reference/nginx/start",
    ],
)
def test_the_harness_is_recognised(catalog: Catalog, path: str) -> None:
    assert change_of([path, "docs/METHODOLOGY.md"], catalog).harness == [path]


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("frameworks/python/packages.py", ["frameworks/python/packages.py"]),
        ("frameworks/kotlin/language.toml", ["frameworks/kotlin/language.toml"]),
        ("frameworks/cpp/Dockerfile", ["frameworks/cpp/Dockerfile"]),
        ("frameworks/selections.toml", ["frameworks/selections.toml"]),
        ("frameworks/java/shared/src/Work.java", ["frameworks/java/shared/"]),
        ("frameworks/go/template/main.go", ["frameworks/go/template/"]),
        ("frameworks/reference/nginx/start", ["frameworks/reference/"]),
        ("scripts/restbench/cli.py", ["scripts/"]),
        ("Makefile", ["Makefile"]),
        ("frameworks/python/falcon/app.py", []),  # an entry's own
        ("frameworks/go/gin/a/b.go", []),
        ("docs/x.md", []),
        ("frame", []),
    ],
)
def test_what_runs_beside_an_entry_is_a_place_of_the_harness(path: str, places: list[str]) -> None:
    assert places_of_harness(["docs/SITE.md", path]) == places


def test_changes_are_against_the_merge_base(tmp_path: Path) -> None:
    clone = a_clone(a_remote(tmp_path, {"a": "1"}), tmp_path / "clone")
    git(clone, "switch", "--quiet", "-c", "mine")
    latin = os.fsdecode("café".encode("latin-1"))
    commit(clone, {"mine file": "x", "é": "x", latin: "x"}, "Mine")
    git(clone, "switch", "--quiet", "main")
    commit(clone, {"theirs": "x"}, "Theirs")
    git(clone, "switch", "--quiet", "mine")
    assert changed_files(clone, "main") == [latin, "mine file", "é"]


def test_what_a_forced_push_dropped_has_changed_too(tmp_path: Path) -> None:
    """Main is set back, and gets another commit: the file of the dropped commit is not what it was."""
    clone = a_clone(a_remote(tmp_path, {"a": "1", "b": "1"}), tmp_path / "clone")
    dropped = commit(clone, {"b": "2"}, "Dropped")
    git(clone, "reset", "--quiet", "--hard", "HEAD~1")
    commit(clone, {"a": "2"}, "In its place")
    assert changed_files(clone, dropped, from_merge_base=False) == ["a", "b"]
    assert changed_files(clone, dropped) == ["a"]


def test_a_commit_that_is_not_there_is_named(tmp_path: Path) -> None:
    clone = a_clone(a_remote(tmp_path, {"a": "1"}), tmp_path / "clone")
    with pytest.raises(UsageError, match=r"git diff failed: fatal: bad revision 'nowhere.*; fetch that commit"):
        changed_files(clone, "nowhere")
    with pytest.raises(ResultsError, match=r"git rev-parse failed: fatal: not a git repository"):
        changed_files(tmp_path, "main")


def test_an_entry_has_a_job_and_is_new_where_the_base_lacks_it(catalog: Catalog) -> None:
    entries = [catalog.entries["python/falcon"], catalog.entries["python/flask"]]
    jobs = make_jobs(entries, {"python/flask"})
    assert [(job.name, job.frameworks, job.new) for job in jobs] == [
        ("python-falcon", ["python/falcon"], True),
        ("python-flask", ["python/flask"], False),
    ]


def test_past_what_a_matrix_may_have_job_share(catalog: Catalog) -> None:
    entries = [catalog.entries["python/falcon"]] * (2 * MOST_JOBS + 10)
    jobs = make_jobs(entries)
    assert len(jobs) == MOST_JOBS
    assert sum(len(job.frameworks) for job in jobs) == len(entries)
    assert {len(job.frameworks) for job in jobs} == {2, 3}
    assert len({job.name for job in jobs}) == MOST_JOBS


def test_the_matrix_is_one_line_of_json_and_the_plan_has_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix(["python/falcon", "rust/*"], None, sample=False, plan=tmp_path / "plan.json")
    (line,) = capsys.readouterr().out.splitlines()
    plan = read_plan(tmp_path / "plan.json")
    assert [job["name"] for job in json.loads(line)] == [job.name for job in plan.jobs]
    assert [job.name for job in plan.jobs] == [
        "links",
        "python-falcon",
        "rust-actix",
        "rust-axum",
        "rust-poem",
        "rust-rocket",
    ]


def test_what_takes_longest_begins_first(tmp_path: Path) -> None:
    matrix(["python/flask", "python/litestar", "rust/axum"], None, sample=False, plan=tmp_path / "plan.json")
    jobs = read_plan(tmp_path / "plan.json").jobs
    assert [job.name for job in jobs] == ["links", "python-litestar", "rust-axum", "python-flask"]


def test_entries_without_cells_in_the_suites_have_no_job(tmp_path: Path) -> None:
    entries = ["python/falcon", "python/bottle"]
    matrix(entries, None, sample=False, plan=tmp_path / "plan.json", suites=["solr"])
    assert [job.name for job in read_plan(tmp_path / "plan.json").jobs] == ["python-falcon"]


def test_the_links_are_measured_when_a_baseline_is(tmp_path: Path) -> None:
    matrix(["python/flask"], None, sample=False, plan=tmp_path / "plan.json")
    assert read_plan(tmp_path / "plan.json").links is None
    matrix(["python/flask", "rust/axum"], None, sample=False, plan=tmp_path / "plan.json")
    plan = read_plan(tmp_path / "plan.json")
    assert plan.links
    assert {"python/falcon", "rust/axum", "java/jooby"} <= set(plan.links.frameworks)
    assert [job.name for job in plan.boards] == ["rust-axum", "python-flask"]


def test_an_empty_change_gives_an_empty_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    matrix([], "HEAD", sample=False)
    assert capsys.readouterr().out == "[]\n"


def test_the_first_push_of_a_branch_measures_all(capsys: pytest.CaptureFixture[str]) -> None:
    matrix([], "0" * 40, sample=False)
    assert len(json.loads(capsys.readouterr().out)) == len(load_catalog(find_repository()).ranked)


@pytest.mark.parametrize("text", ["", "{}", '{"started": "now"}', '{"started": "2026-01-01T00:00:00", "commit": "x"}'])
def test_what_is_no_plan_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="is not the plan of a run"):
        read_plan(path)


def test_jobs_are_named_so_that_they_are_folders() -> None:
    for name in ("../x", "a/b", ".hidden", ""):
        with pytest.raises(ValueError, match="name"):
            RunPlan.model_validate(
                {"started": "2026-01-01T00:00:00Z", "commit": "x", "jobs": [{"name": name, "frameworks": ["a/b"]}]}
            )


def test_a_job_names_the_commit_that_its_entry_is_compared_with(catalog: Catalog) -> None:
    falcon, flask = catalog.entries["python/falcon"], catalog.entries["python/flask"]
    commits = {"python/falcon": "a" * 40}
    assert [job.base for job in make_jobs([falcon, flask], commits=commits)] == ["a" * 40, None]
    assert [job.base for job in make_jobs([falcon, flask], at_most=1, commits=commits)] == [None]


def test_the_plan_has_the_comparisons(tmp_path: Path, capsys: pytest.CaptureFixture[str], catalog: Catalog) -> None:
    falcon, flask = catalog.entries["python/falcon"], catalog.entries["python/flask"]
    jobs = make_jobs([falcon, flask], commits={"python/flask": "a" * 40})
    plan = RunPlan(started=START, commit="0" * 40, jobs=jobs)
    (tmp_path / "plan.json").write_text(plan.model_dump_json())
    comparisons(tmp_path / "plan.json")
    (job,) = json.loads(capsys.readouterr().out)
    assert job == {"name": "python-flask", "frameworks": ["python/flask"], "new": False, "base": "a" * 40}
