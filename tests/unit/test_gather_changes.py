"""The comparisons of a run become change records. No job is trusted."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.catalog.load import titles_of
from restbench.changes.chain import chain_of
from restbench.changes.comparison import BASE_LOST, SCHEMA_VERSION, Comparison, EntryComparison, Verdict
from restbench.changes.published import Uncompared, last_compared
from restbench.changes.records import ChangeRecord, append_records, read_records
from restbench.changes.summary import changes_markdown
from restbench.ci.changes import Changed, append_changes
from restbench.ci.changes import gather_changes as gather_changes_of
from restbench.ci.matrix_jobs import MatrixJob, RunPlan
from restbench.commands import ci as publishing
from restbench.system.repository import Repository
from tests.made.changes import a_change, a_comparison, a_cost, a_record, changed
from tests.made.records import START
from tests.made.small import small_catalog, small_repository

FALCON = "python/falcon"
BASE, HEAD, OTHER = "a" * 40, "b" * 40, "c" * 40
PLAN = RunPlan(
    started=START,
    commit=HEAD,
    jobs=[
        MatrixJob(name="python-falcon", frameworks=[FALCON], base=BASE),
        MatrixJob(name="python-starlette", frameworks=["python/starlette"]),
    ],
)


def gather_changes(folder: Path, plan: RunPlan, known: list[ChangeRecord]) -> Changed:
    return gather_changes_of(folder, plan, known, small_catalog())


def compared(*entries: EntryComparison, base: str = BASE, head: str = HEAD) -> Comparison:
    slower = changed("Falcon", a_change(Verdict.SLOWER, a_cost(1.06)))
    return a_comparison(*entries or (slower,)).model_copy(update={"base": base, "head": head})


def uploaded(folder: Path, comparison: Comparison | str) -> Path:
    path = folder / "comparison-python-falcon/comparison.json"
    path.parent.mkdir(parents=True)
    path.write_text(comparison if isinstance(comparison, str) else comparison.model_dump_json())
    return path


def test_a_comparison_becomes_a_record(tmp_path: Path) -> None:
    uploaded(tmp_path, compared())
    found = gather_changes(tmp_path, PLAN, [])
    (record,) = found.records
    assert (record.entry, record.before, record.after, record.at) == (FALCON, BASE, HEAD, START)
    assert record.claimed["hello/hello_world"].ratio == 1.06
    assert found.refused == {}


def test_a_job_that_left_nothing_affects_only_its_entry(tmp_path: Path) -> None:
    found = gather_changes(tmp_path, PLAN, [])
    assert found.records == []
    assert found.refused == {FALCON: "its comparison left nothing: it was cancelled, timed out or could not start"}


def test_what_could_not_be_planned_is_reported_again(tmp_path: Path) -> None:
    plan = PLAN.model_copy(update={"jobs": [], "uncompared": {"rust/axum": Uncompared(why="git does not answer")}})
    found = gather_changes(tmp_path, plan, [])
    assert found.refused == {"rust/axum": "git does not answer"}
    assert found.records == []


def test_what_never_can_be_compared_is_a_record_and_the_next_one_begins_there(tmp_path: Path) -> None:
    """The commit at which the records end is gone by a forced push."""
    known = a_record(FALCON, before=OTHER, after=BASE, target="docker")
    gone = Uncompared(why="commit aaaa is not in the history of this branch", before=BASE)
    plan = PLAN.model_copy(update={"jobs": [], "uncompared": {FALCON: gone}})
    found = gather_changes(tmp_path, plan, [known])
    (record,) = found.records
    assert (record.before, record.after, record.uncompared) == (BASE, HEAD, gone.why)
    assert found.refused == {FALCON: gone.why}
    assert gather_changes(tmp_path, plan, [known, record]).records == [record]
    assert last_compared(FALCON, [known, record]) == HEAD
    assert not record.claims
    assert record.is_news
    shown = changes_markdown([record], {}, titles_of(small_catalog()))
    assert "not compared: commit aaaa is not in the history of this branch" in shown
    assert chain_of([known, record], FALCON, "hello") == chain_of([known], FALCON, "hello")


def test_a_long_reason_is_cut_and_stops_nothing(tmp_path: Path) -> None:
    gone = Uncompared(why="git says:\n" + "x" * 5000, before=BASE)
    plan = PLAN.model_copy(update={"jobs": [], "uncompared": {FALCON: gone}})
    known = a_record(FALCON, before=OTHER, after=BASE, target="docker")
    (record,) = gather_changes(tmp_path, plan, [known]).records
    assert record.uncompared == f"git says: {'x' * 190}"


def test_a_run_that_was_overtaken_makes_no_record_of_what_it_could_not_compare(tmp_path: Path) -> None:
    known = a_record(FALCON, before=BASE, after=OTHER, target="docker")
    gone = Uncompared(why="gone", before=BASE)
    plan = PLAN.model_copy(update={"jobs": [], "uncompared": {FALCON: gone}})
    assert gather_changes(tmp_path, plan, [known]).records == []


def test_a_version_before_that_no_longer_works_is_a_record_and_no_run_tries_it_again(tmp_path: Path) -> None:
    lost = EntryComparison(
        entry=FALCON,
        title="",
        base_version="1",
        version="2",
        status="changed",
        why=f"{BASE_LOST}: build: the image could not be built",
    )
    uploaded(tmp_path, compared(lost))
    found = gather_changes(tmp_path, PLAN, [])
    (record,) = found.records
    assert record.uncompared == lost.why
    assert (record.before, record.after, record.cells) == (BASE, HEAD, {})
    path = tmp_path / "changes.jsonl"
    assert append_records(path, [record]) == 1
    assert read_records(path) == [record]


def test_a_version_before_that_does_not_keep_todays_contract_is_a_record_without_a_ratio(tmp_path: Path) -> None:
    """Else each run would try to compare from there. Where a cell of it is right, the record has that cell."""
    broken = a_change(Verdict.MENDED, why="failed before: answer: GET /hello_world: expected Hello")
    uploaded(tmp_path / "none", compared(changed("Falcon", broken)))
    (record,) = gather_changes(tmp_path / "none", PLAN, []).records
    assert record.uncompared == f"the version before does not keep today's contract: {broken.why}"
    assert (record.cells, record.together, record.claims) == ({}, None, False)
    typed = broken.model_copy(update={"suite": "issue-tracker", "scenario": "sprint", "variant": "raw"})
    uploaded(tmp_path / "some", compared(changed("Falcon", a_change(cost=a_cost(1.02)), typed)))
    (record,) = gather_changes(tmp_path / "some", PLAN, []).records
    assert record.uncompared is None
    assert record.cells["hello/hello_world"].ratio == 1.02
    assert record.cells["issue-tracker/sprint/raw"] == (Verdict.MENDED, None, None, None, 0, 0)


LIES: dict[str, tuple[Comparison | str, str]] = {
    "another base": (compared(base=OTHER), "its comparison is of other commits than those of the plan"),
    "another head": (compared(head=OTHER), "its comparison is of other commits than those of the plan"),
    "another entry": (
        compared(changed().model_copy(update={"entry": "rust/axum"})),
        "its comparison is about another entry",
    ),
    "two entries": (compared(changed(), changed()), "its comparison is about another entry"),
    "truncated": (compared().model_dump_json()[:-20], "its comparison is refused: "),
    "an older schema": ('{"schema_version": 2}', f"(schema 2, this one reads {SCHEMA_VERSION})"),
    "absurd": (compared().model_dump_json().replace("1.06", "1e308"), "its comparison is refused: "),
    "large": (" " * 1_000_001, "its comparison has 1,000,001 bytes, more than one can have"),
    "failed": (
        compared(EntryComparison(entry=FALCON, title="", base_version=None, version=None, status="failed", why="x")),
        "nothing could be compared: x",
    ),
}


@pytest.mark.parametrize(("comparison", "reason"), LIES.values(), ids=LIES)
def test_a_job_is_not_trusted(tmp_path: Path, comparison: Comparison | str, reason: str) -> None:
    uploaded(tmp_path, comparison)
    found = gather_changes(tmp_path, PLAN, [])
    assert found.records == []
    assert reason in found.refused[FALCON]
    assert str(tmp_path) not in found.refused[FALCON]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.json").write_text(compared().model_dump_json())
    path = uploaded(tmp_path / "jobs", "")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere.json")
    assert "outside" in gather_changes(tmp_path / "jobs", PLAN, []).refused[FALCON]


def test_a_change_is_not_counted_twice_by_runs_that_overlap(tmp_path: Path) -> None:
    """Two pushes follow each other. Both runs compare with what was before both."""
    uploaded(tmp_path, compared())
    other = a_record(FALCON, before=BASE, after=OTHER, target="docker")
    found = gather_changes(tmp_path, PLAN, [other])
    assert found.records == []
    assert found.refused[FALCON].startswith(f"another run compared it up to {OTHER[:10]} meanwhile")


def test_a_record_goes_on_where_the_last_one_ends(tmp_path: Path) -> None:
    uploaded(tmp_path, compared())
    before = a_record(FALCON, before=OTHER, after=BASE, target="docker")
    assert len(gather_changes(tmp_path, PLAN, [before]).records) == 1


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


def test_publishing_a_run_again_appends_nothing(tmp_path: Path, results: Path, catalog: Catalog) -> None:
    uploaded(tmp_path / "jobs", compared())
    first = append_changes(tmp_path / "jobs", PLAN, catalog, results)
    before = (results / "changes.jsonl").read_bytes()
    again = append_changes(tmp_path / "jobs", PLAN, catalog, results)
    assert (results / "changes.jsonl").read_bytes() == before
    assert first.records == again.records == first.all == again.all
    assert not again.refused


def test_an_entry_that_was_removed_meanwhile_gets_no_record(tmp_path: Path, results: Path) -> None:
    uploaded(tmp_path / "jobs", compared())
    assert append_changes(tmp_path / "jobs", PLAN, Catalog({}), results).records == []
    assert read_records(results / "changes.jsonl") == []


def test_damaged_records_cost_this_run_its_records_and_no_results(
    tmp_path: Path, results: Path, catalog: Catalog, caplog: pytest.LogCaptureFixture
) -> None:
    uploaded(tmp_path / "jobs", compared())
    (results / "changes.jsonl").write_text("{}\n")
    changed = append_changes(tmp_path / "jobs", PLAN, catalog, results)
    assert changed.records == []
    (line,) = caplog.messages
    assert "changes.jsonl: line 1 is no change record" in line
    assert (results / "changes.jsonl").read_text() == "{}\n"


def test_what_is_logged_on_the_way_is_once_in_the_summary(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    repository = Repository(shutil.copytree(small_repository().root, tmp_path / "checkout", symlinks=True))
    repository.results.mkdir()
    (repository.results / "changes.jsonl").write_text("{}\n")
    made = publishing._make(tmp_path / "jobs", PLAN, repository)
    assert [remark.partition(" is no change record")[0] for remark in made.remarks] == ["results/changes.jsonl: line 1"]
    assert len(caplog.messages) == 2


def test_a_triage_file_with_an_unknown_id_is_reported(
    tmp_path: Path, results: Path, catalog: Catalog, caplog: pytest.LogCaptureFixture
) -> None:
    append_records(results / "changes.jsonl", [a_record(at=START - timedelta(days=7))])
    (results / "triage.toml").write_text('["0123456789ab"]\nverdict = "expected"\nwhy = "It checks more."\n')
    append_changes(tmp_path / "jobs", PLAN, catalog, results)
    assert "no change record has the id 0123456789ab" in caplog.text
