"""A job that is missing, broken or lies counts as missing, with why; the others are published, and nothing else is."""

import json
import os
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.board import build_board
from restbench.catalog import Catalog
from restbench.catalog.load import titles_of
from restbench.ci.gather import LARGEST, Gathered, gather
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.ci.summary import run_markdown
from restbench.render.markdown_pages import render_pages
from restbench.results.files import read_entry, write_entry
from restbench.results.history import read_history
from restbench.results.merge import merge_results
from restbench.results.models import EntryResult, Failure, Missed
from tests.made.records import START, a_cell, a_failed_cell, a_run, a_run_plan, an_entry, baseline, own_baseline, solo

NOW = START + timedelta(hours=2)
GOOD, BAD = "python/starlette", "python/falcon"
PLAN = a_run_plan(GOOD, BAD)


def fresh(entry: str) -> EntryResult:
    return an_entry(entry, run=a_run(f"run-of-{entry}"))


def jobs_with(folder: Path, spoil: Callable[[Path], object]) -> Path:
    """The artifacts of both jobs, that of BAD spoilt. `spoil` gets the path of its result."""
    for name in (GOOD, BAD):
        job = folder / f"job-{name.replace('/', '-')}" / "results"
        write_entry(job, fresh(name))
        write_entry(job, fresh("reference/nginx"))
    spoil(folder / "job-python-falcon" / "results" / "python" / "falcon.json")
    return folder


def replaced(result: EntryResult) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        path.unlink()
        write_entry(path.parents[1], result).rename(path)

    return spoil


def edited(old: str, new: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(path.read_text().replace(old, new))


def outside(path: Path) -> None:
    elsewhere = path.parents[4] / "elsewhere.json"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def huge(path: Path) -> None:
    os.truncate(path, LARGEST + 1)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: [p.unlink() for p in path.parents[2].rglob("*.json")], "left no result of it"),
        (lambda path: path.parents[2].rename(path.parents[3] / "job-other"), "left no results: it was cancelled"),
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "is refused: is not whole JSON"),
        (lambda path: path.write_text("[" * 200_000), "is refused: is not whole JSON"),
        (lambda path: path.write_text("null"), "is refused: is not a result"),
        (huge, "has 1 MB, more than a result can have"),
        (outside, "lies outside of what its job uploaded"),
        (replaced(fresh(GOOD)), "its result is about python/starlette"),
        (replaced(fresh("../../../README")), r"its result is about \.\./\.\./\.\./README"),
        (replaced(an_entry(BAD, cells=[a_cell(variant="raw")])), "has no cell hello/hello_world/raw"),
        (edited('"schema_version": 3', '"schema_version": 2'), "is refused: was written by an older restbench"),
        (edited('"schema_version": 3', '"schema_version": 4'), "is refused: was written by a newer restbench"),
        (edited('"throughput": [', '"throughput": [1,'), "is refused: is not a result"),
        (edited('"throughput": [9700', '"throughput": [Infinity'), "is refused: is not a result"),
        (
            replaced(an_entry(BAD, cells=[a_cell(baseline=baseline([100], "python/x"))])),
            "there is no baseline python/x here",
        ),
        (edited("2026-03-01T09:30:00Z", "2026-03-01T09:30:00"), "is refused: is not a result"),
        (edited("A processor", "A processor " * 1000), "is refused: is not a result"),
        (replaced(an_entry(BAD, run=a_run("x", START + timedelta(days=400)))), "claims to be of 2027-04-05"),
        (replaced(an_entry(BAD, run=a_run("x", START - timedelta(days=400)))), "claims to be of 2025-01-25"),
        (edited("run-of-python/falcon", "another"), None),
    ],
)
def test_a_spoilt_job_is_missing_and_the_other_is_published(
    catalog: Catalog, tmp_path: Path, spoil: Callable[[Path], object], reason: str | None
) -> None:
    gathered = gather(jobs_with(tmp_path / "jobs", spoil), PLAN, catalog, NOW)
    assert GOOD in {result.entry for result in gathered.results}
    if reason is None:  # a run may be called what it likes, as long as it is one
        assert not gathered.missed
        return
    assert set(gathered.missed) == {BAD}
    assert re.search(reason, gathered.missed[BAD].reason)
    assert str(tmp_path) not in gathered.missed[BAD].reason
    assert [r.entry for r in gathered.results if r.entry == BAD] == []


def test_nothing_but_the_planned_results_is_written(catalog: Catalog, tmp_path: Path) -> None:
    jobs = jobs_with(tmp_path / "jobs", lambda _path: None)
    other = jobs / "job-python-falcon"
    write_entry(other / "results", fresh("python/fastapi"))  # another framework's, in this job
    (other / "results" / "README.md").write_text("mine")
    (jobs / "job-python-hug").mkdir()  # a job that nobody planned
    gathered = gather(jobs, PLAN, catalog, NOW)
    assert sorted(r.entry for r in gathered.results) == [BAD, GOOD, "reference/nginx", "reference/nginx"]
    merge_results(gathered.results, gathered.missed, tmp_path / "results")
    written = sorted(str(p.relative_to(tmp_path / "results")) for p in (tmp_path / "results").rglob("*.json*"))
    assert written == [
        "history/2026-03.jsonl",
        "latest/python/falcon.json",
        "latest/python/starlette.json",
        "latest/reference/nginx.json",
    ]


def test_a_baseline_of_another_job_does_not_replace_its_own_result(catalog: Catalog, tmp_path: Path) -> None:
    """A job measures its language's baseline only as far as its own cells need a partner, and as late as it likes."""
    baseline, other = "python/falcon", "python/starlette"
    own, beside = a_run("own"), a_run("beside", START + timedelta(hours=1))
    whole = an_entry(baseline, own, [a_cell(own), a_cell(own, "sprint")])
    partner = a_cell(beside, solo=solo([1.0] * 7))
    write_entry(tmp_path / "jobs/job-python-falcon/results", whole)
    write_entry(tmp_path / "jobs/job-python-starlette/results", an_entry(baseline, beside, [partner]))
    write_entry(tmp_path / "jobs/job-python-starlette/results", an_entry(other, beside))
    gathered = gather(tmp_path / "jobs", PLAN, catalog, NOW)
    assert sorted(result.entry for result in gathered.results) == [baseline, other]
    merge_results(gathered.results, gathered.missed, tmp_path)
    assert read_entry(tmp_path / "latest/python/falcon.json") == whole
    history = read_history(tmp_path / "history/2026-03.jsonl")
    assert sorted((line.entry, line.run) for line in history.entries) == [(baseline, "own"), (other, "beside")]


def test_a_run_of_one_entry_leaves_its_baselines_result_as_it_is(catalog: Catalog, tmp_path: Path) -> None:
    """The plan has no job of the baseline: what the job has of it is not read, and it is not missing."""
    plan = PLAN.model_copy(update={"jobs": [job for job in PLAN.jobs if job.frameworks == [GOOD]]})
    run = a_run("one")
    for name in (GOOD, BAD):
        write_entry(tmp_path / "jobs/job-python-starlette/results", an_entry(name, run))
    gathered = gather(tmp_path / "jobs", plan, catalog, NOW)
    assert [result.entry for result in gathered.results] == [GOOD]
    assert not gathered.missed


def shown(results: list[EntryResult], catalog: Catalog) -> str:
    """All pages of the board, one after another."""
    return "\n".join(render_pages(build_board(catalog, results), catalog).values())


def test_a_missing_entry_keeps_its_figures_marked_stale(catalog: Catalog, tmp_path: Path) -> None:
    old = a_run("old", START - timedelta(days=7))
    merge_results([an_entry(BAD, run=old)], {}, tmp_path)
    missed = {BAD: Missed(started=START, reason="its job <b>timed</b> out")}
    merge_results([fresh(GOOD)], missed, tmp_path)
    stale = read_entry(tmp_path / "latest/python/falcon.json")
    assert stale.missed == missed[BAD]
    text = shown([stale, fresh(GOOD)], catalog)
    assert "(stale)" in text
    assert (
        "stale, measured on 2026-02-22: "
        "the run of 2026-03-01 gave no results for it: its job &lt;b&gt;timed&lt;/b&gt; out" in text
    )
    once = (tmp_path / "latest/python/falcon.json").read_bytes()
    merge_results([fresh(GOOD)], missed, tmp_path)
    assert (tmp_path / "latest/python/falcon.json").read_bytes() == once
    merge_results([an_entry(BAD, run=a_run("new", START + timedelta(days=7)))], {}, tmp_path)
    assert read_entry(tmp_path / "latest/python/falcon.json").missed is None


def test_an_entry_that_was_measured_since_is_not_stale(tmp_path: Path) -> None:
    merge_results([fresh(BAD)], {}, tmp_path)
    merge_results([], {BAD: Missed(started=START - timedelta(days=1), reason="late news")}, tmp_path)
    assert read_entry(tmp_path / "latest/python/falcon.json").missed is None


def test_an_entry_that_was_never_measured_does_not_vanish(catalog: Catalog, tmp_path: Path) -> None:
    merge_results([fresh(GOOD)], {BAD: Missed(started=START, reason="its job was cancelled")}, tmp_path)
    results = [read_entry(path) for path in sorted(tmp_path.glob("latest/*/*.json"))]
    text = "Falcon (the run of 2026-03-01 gave no results for it: its job was cancelled)"
    assert text in shown(results, catalog)


def test_two_that_publish_at_once_end_with_the_same(tmp_path: Path) -> None:
    """Merging is idempotent and commutes, so the loser of a race that merges again loses nothing."""
    first, second = fresh(GOOD), an_entry(BAD, run=a_run("b", START + timedelta(minutes=1)))
    for folder, order in (("a", [first, second, first]), ("b", [second, first])):
        for result in order:
            merge_results([result], {}, tmp_path / folder)
    latest = [sorted((p.name, p.read_text()) for p in (tmp_path / f).glob("latest/*/*")) for f in ("a", "b")]
    assert latest[0] == latest[1]


def summary(plan: RunPlan, gathered: Gathered, catalog: Catalog, before: Sequence[EntryResult] = ()) -> str:
    return run_markdown(plan, gathered, {result.entry: result for result in before}, titles_of(catalog))


def test_html_in_a_failure_stays_text(catalog: Catalog, tmp_path: Path) -> None:
    markup = "<script>alert(1)</script> | <img src=x>"
    cell = a_failed_cell().model_copy(update={"failure": Failure(check="answer", got=markup)})
    result = an_entry(BAD, cells=[cell])
    gathered = gather(jobs_with(tmp_path, replaced(result)), PLAN, catalog, NOW)
    for text in (shown(gathered.results, catalog), summary(PLAN, gathered, catalog)):
        assert "<script>" not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;" in text


def test_the_summary_names_what_is_missing(catalog: Catalog, tmp_path: Path) -> None:
    gathered = gather(jobs_with(tmp_path, lambda path: path.write_text("{")), PLAN, catalog, NOW)
    text = summary(PLAN, gathered, catalog)
    assert text.startswith("## 1 of 2 entries measured: ")
    assert "- Falcon is missing: its result is refused:\u2060 is not whole JSON" in text
    assert "Starlette is missing" not in text


def test_the_summary_names_what_is_not_as_before(catalog: Catalog, tmp_path: Path) -> None:
    """What failed before and still does is counted alone."""
    failed, right = an_entry(BAD, cells=[a_failed_cell()]), an_entry(BAD, cells=[a_cell()])
    now = gather(jobs_with(tmp_path / "failed", replaced(failed)), PLAN, catalog, NOW)
    then = gather(jobs_with(tmp_path / "right", replaced(right)), PLAN, catalog, NOW)
    assert "1 fail\n" in summary(PLAN, now, catalog)
    assert "Falcon, Plain text fails: answer" in summary(PLAN, now, catalog, [right])
    assert "Falcon, Plain text fails" not in summary(PLAN, now, catalog, [failed])
    assert "Falcon, Plain text is right again" in summary(PLAN, then, catalog, [failed])
    assert "the same cells are right as before" in summary(PLAN, then, catalog, [right])


def test_a_plan_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(PLAN.model_dump_json())
    assert RunPlan.model_validate(json.loads(path.read_text())) == PLAN


LINKED = PLAN.model_copy(
    update={"jobs": [*PLAN.jobs, MatrixJob(name="links", frameworks=[BAD, "rust/axum"], profile="links")]}
)


def links_in(folder: Path, **changes: object) -> Path:
    """The artifacts of all jobs, with that of the links. `changes` are those of its run."""
    run = a_run("links").model_copy(update={"profile": "links", **changes})
    for entry in (BAD, "rust/axum"):
        write_entry(folder / "job-links" / "results", an_entry(entry, run=run, cells=[own_baseline(entry, run=run)]))
    return jobs_with(folder, lambda _path: None)


def test_the_links_are_gathered_apart_from_the_rows_of_the_board(catalog: Catalog, tmp_path: Path) -> None:
    gathered = gather(links_in(tmp_path), LINKED, catalog, NOW)
    assert [result.entry for result in gathered.links] == [BAD, "rust/axum"]
    assert gathered.links_missed is None
    own = next(result for result in gathered.results if result.entry == BAD)
    assert "links" not in own.runs


def test_links_of_a_job_that_failed_are_missed_and_nothing_else_is(catalog: Catalog, tmp_path: Path) -> None:
    folder = links_in(tmp_path)
    (folder / "job-links/results/rust/axum.json").unlink()
    gathered = gather(folder, LINKED, catalog, NOW)
    assert (gathered.links, gathered.links_missed) == ([], "its job left no result of it")
    assert gathered.missed == {}
    assert "The links between languages stay as they are" in summary(LINKED, gathered, catalog)


def test_links_of_another_profile_are_refused(catalog: Catalog, tmp_path: Path) -> None:
    gathered = gather(links_in(tmp_path, profile="full"), LINKED, catalog, NOW)
    assert gathered.links_missed == "its result is refused: it is of the profile full, and the job's is links"
