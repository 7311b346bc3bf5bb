"""`restbench compare` around the measuring: what is written, and how it ends."""

from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog, Entry
from restbench.changes import base_versions
from restbench.changes.comparison import Comparison, EntryComparison, Verdict
from restbench.commands import compare as command
from restbench.commands import selection
from restbench.commands.selection import Selection
from restbench.errors import Interrupted, MissingToolError, UsageError
from restbench.measure import Plan
from restbench.system.repository import find_repository
from tests.made.changes import a_change, changed
from tests.unit.fakes import FakeRuntime, World
from tests.unit.plans import plan_of

ENTRIES = ["python/falcon", "python/starlette", "python/flask"]


class Measured:
    """Stands for the measuring. `ends` says what comes of an entry in place of no difference."""

    def __init__(self) -> None:
        self.compared: list[tuple[str, str]] = []
        self.new: list[str] = []
        self.plans: list[Plan] = []
        self.ends: dict[str, EntryComparison | BaseException] = {}

    def versions(self, base: Entry, head: Entry, plan: Plan, *_more: object) -> EntryComparison:
        self.compared.append((base.id, head.id))
        self.plans.append(plan)
        return self._end(head)

    def new_entry(self, head: Entry, _plan: Plan, *_more: object) -> EntryComparison:
        self.new.append(head.id)
        return self._end(head)

    def _end(self, head: Entry) -> EntryComparison:
        end = self.ends.get(head.id, changed(head.title).model_copy(update={"entry": head.id}))
        if isinstance(end, BaseException):
            raise end
        return end


@pytest.fixture
def measured(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> Measured:
    measured, world = Measured(), World()

    def select(frameworks: list[str], suites: list[str], *_more: object) -> Selection:
        entries = [catalog.entries[name] for name in frameworks]
        return Selection(find_repository(), catalog, entries, suites or ["hello"], FakeRuntime(world), mistakes=[])

    def make_plan(selection: Selection, *_more: object) -> Plan:
        return replace(plan_of(catalog, world), entries=selection.entries)

    monkeypatch.setattr(command, "select", select)
    monkeypatch.setattr(command, "make_plan", make_plan)
    monkeypatch.setattr(command, "cpu_counter_unavailable_reason", lambda: None)
    monkeypatch.setattr(command, "compare_versions", measured.versions)
    monkeypatch.setattr(command, "measure_new", measured.new_entry)
    return measured


def run(out: Path, base: str | None = None, entries: list[str] = ENTRIES, suites: list[str] | None = None) -> int:
    return command.compare(
        str(find_repository().root) if base is None else base, entries, suites, target="native", out=out
    )


def written(out: Path) -> Comparison:
    return Comparison.model_validate_json((out / "comparison.json").read_text())


def test_each_entry_is_compared_with_itself_and_the_summary_is_printed(
    measured: Measured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path) == 0
    assert measured.compared == [(f"{name}@base", name) for name in ENTRIES]
    assert [entry.entry for entry in written(tmp_path).entries] == ENTRIES
    assert (tmp_path / "comparison.md").read_text().strip() == capsys.readouterr().out.strip()


def test_entries_that_are_not_new_have_the_backend_that_they_need(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "make_backend", lambda name, *_more: name)
    assert run(tmp_path, entries=["python/fastapi"], suites=["solr"]) == 0
    assert measured.plans[0].make_backend() == "solr"  # type: ignore[comparison-overlap]


def test_an_entry_of_which_no_file_changed_is_left_out(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Entry.files_hash
    monkeypatch.setattr(Entry, "files_hash", lambda e: f"{e.revision}" if e.name == "flask" else real(e)[:0])
    assert run(tmp_path, "HEAD") == 0
    assert measured.compared == [("python/flask@base", "python/flask")]
    assert capsys.readouterr().err == "left out: python/falcon, python/starlette: no file of it differs from HEAD\n"
    with pytest.raises(UsageError, match=r"^nothing to compare: python/falcon: no file of it differs from HEAD, which"):
        run(tmp_path, "HEAD", entries=["python/falcon"])


def test_without_a_base_nothing_can_be_compared(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^name a commit or a folder"):
        run(tmp_path, "")


def test_a_cell_that_failed_is_told_by_the_exit_code(measured: Measured, tmp_path: Path) -> None:
    measured.ends = {ENTRIES[1]: changed("Starlette", a_change(Verdict.FAILED, why="answer: rubbish"))}
    assert run(tmp_path) == 1


def test_one_that_the_base_does_not_have_is_new(
    measured: Measured, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = replace(catalog, entries={name: e for name, e in catalog.entries.items() if name != ENTRIES[2]})
    monkeypatch.setattr(base_versions, "load_catalog", lambda _repository: before)
    assert run(tmp_path) == 0
    assert measured.new == [ENTRIES[2]]
    assert [head for _, head in measured.compared] == ENTRIES[:2]


def test_ctrl_c_leaves_what_was_finished(measured: Measured, tmp_path: Path) -> None:
    measured.ends = {ENTRIES[1]: Interrupted("interrupted: everything started was stopped")}
    with pytest.raises(Interrupted) as interrupted:
        run(tmp_path)
    assert interrupted.value.message.endswith("was stopped; not compared: python/starlette, python/flask")
    assert [entry.entry for entry in written(tmp_path).entries] == ENTRIES[:1]


def test_ctrl_c_before_anything_was_finished_writes_nothing(measured: Measured, tmp_path: Path) -> None:
    measured.ends = {ENTRIES[0]: Interrupted("interrupted: everything started was stopped")}
    with pytest.raises(Interrupted):
        run(tmp_path)
    assert not (tmp_path / "comparison.json").exists()


def test_without_counters_of_cpu_time_nothing_can_be_compared(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "cpu_counter_unavailable_reason", lambda: "ticks only")
    with pytest.raises(MissingToolError, match="nothing can be compared: ticks only"):
        run(tmp_path)
    assert not measured.compared
