"""results/changes.jsonl and results/triage.toml: what is appended stays, and what is damaged is reported."""

from pathlib import Path

import pytest

from restbench.changes.comparison import Cause, CauseKind, Together, Verdict
from restbench.changes.records import CellCost, append_records, dump_record, identifier, read_records, records_of
from restbench.changes.regressions import Judged, read_triage, unknown_ids
from restbench.errors import ResultsError
from tests.made.changes import a_change, a_comparison, a_cost, a_record, changed
from tests.made.records import START


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "changes.jsonl"


def test_what_was_appended_is_read_again(file: Path) -> None:
    cause = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
    records = [a_record(number=1, causes=[cause]), a_record("rust/axum", ratio=1.0, number=2)]
    assert read_records(file) == [], "it is missing"
    assert append_records(file, records) == 2
    assert read_records(file) == records


def test_what_was_appended_is_never_changed(file: Path) -> None:
    append_records(file, [a_record(number=1)])
    before = file.read_bytes()
    assert append_records(file, [a_record(number=1)]) == 0
    assert file.read_bytes() == before
    append_records(file, [a_record(number=2)])
    assert file.read_bytes().startswith(before)
    assert len(file.read_bytes().splitlines()) == 2


def test_of_two_records_of_one_change_the_first_stays(file: Path) -> None:
    first = a_record(ratio=1.06, number=1)
    assert append_records(file, [first, first.model_copy(update={"profile": "full"})]) == 1
    assert append_records(file, [first.model_copy(update={"machine": "another"})]) == 0
    assert read_records(file) == [first]


def test_a_line_without_its_newline_is_completed(file: Path) -> None:
    append_records(file, [a_record(number=1)])
    file.write_bytes(file.read_bytes().rstrip())
    append_records(file, [a_record(number=2)])
    assert len(read_records(file)) == 2


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda line: line[: len(line) // 2], r"line 2 is no change record: .*restore the file from git"),
        (lambda line: line.replace('"v":1', '"v":2'), "written by a newer restbench .schema 2, this one reads 1."),
        (lambda line: line.replace("1.06", "1e308"), "less than or equal to 1000000000"),
        (lambda line: line.replace("1.06", "NaN"), "no change record"),
        (lambda line: line[:-1] + ',"more":1}', "more: Extra inputs are not permitted"),
    ],
    ids=["truncated", "newer", "absurd", "not a number", "unknown field"],
)
def test_a_line_that_is_no_record_is_refused_by_its_number(file: Path, damage: object, reason: str) -> None:
    assert callable(damage)
    first, second = dump_record(a_record(number=1)), damage(dump_record(a_record(number=2)))
    file.write_text(f"{first}\n{second}\n")
    before = file.read_bytes()
    with pytest.raises(ResultsError, match=reason):
        append_records(file, [a_record(number=3)])
    assert file.read_bytes() == before


def test_two_lines_with_one_id_are_refused(file: Path) -> None:
    file.write_text(f"{dump_record(a_record(number=1))}\n" * 2)
    with pytest.raises(ResultsError, match=r"line 2 has the id [0-9a-f]{12} of an earlier line"):
        read_records(file)


def test_a_record_is_short(file: Path) -> None:
    cells = {
        f"issue-tracker/scenario-{n}/raw": CellCost(Verdict.SAME, 1.0012, 0.9934, 1.0091, 4, 48) for n in range(24)
    }
    assert len(dump_record(a_record(cells=cells))) < 2500
    assert len(dump_record(a_record(cells={"hello/hello_world": CellCost(Verdict.UNKNOWN)}, together=None))) < 450


def test_a_comparison_gives_a_record_of_each_entry_that_was_compared() -> None:
    slower = a_change(Verdict.SLOWER, a_cost(1.0612345))
    entry = changed("Falcon", slower, together=Together(verdict=Verdict.SLOWER, cost=a_cost(1.061)))
    (record,) = records_of(a_comparison(entry), START, "docker")
    assert record.cells == {"hello/hello_world": CellCost(Verdict.SLOWER, 1.0612, 1.0522, 1.0702, 4, 48)}
    assert (record.version_before, record.version) == ("4.0.0", "4.1.0")
    assert record.id == identifier("python/falcon", "docker", record.before, record.after)


@pytest.mark.parametrize("changes", [{"head_dirty": True}, {"base_dirty": True}, {"base": None}, {"head": None}])
def test_files_that_were_not_committed_have_no_record(changes: dict[str, object]) -> None:
    with pytest.raises(ResultsError, match="only commits have change records"):
        records_of(a_comparison(changed()).model_copy(update=changes), START, "docker")


def test_an_entry_without_a_version_before_has_no_record() -> None:
    new = changed().model_copy(update={"status": "new", "cells": []})
    failed = changed("Falcon", a_change(Verdict.FAILED, None, "500"))
    assert records_of(a_comparison(new, failed), START, "docker") == []


ID = a_record().id


@pytest.fixture
def triage(tmp_path: Path) -> Path:
    return tmp_path / "triage.toml"


def test_a_judgement_has_a_verdict_and_a_reason(triage: Path) -> None:
    triage.write_text(f'["{ID}"]\nverdict = "not ours"\nwhy = "Another kernel."\n')
    judged = read_triage(triage)[ID]
    assert (judged.verdict, judged.why) == (Judged.NOT_OURS, "Another kernel.")


def test_a_missing_file_judges_nothing(triage: Path) -> None:
    assert read_triage(triage) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'["{ID}"\n', "is no TOML"),
        (f'["{ID}"]\nverdict = "perhaps"\nwhy = "x"\n', "verdict: .*a verdict .expected, mended, not ours. and why"),
        (f'["{ID}"]\nverdict = "expected"\n', "why: Field required"),
        (f'["{ID}"]\nverdict = "expected"\nwhy = ""\n', "why: String should have at least 1 character"),
        (f'["{ID}"]\nverdict = "expected"\nwhy = "{"x" * 501}"\n', "at most 500 characters"),
        ('["python/falcon"]\nverdict = "expected"\nwhy = "x"\n', "a table is named by the id of a record"),
        (f'["{ID}"]\nverdict = "expected"\nwhy = "x"\nby = "me"\n', "by: Extra inputs are not permitted"),
    ],
)
def test_a_broken_file_is_refused_with_its_key_and_a_remedy(triage: Path, text: str, reason: str) -> None:
    triage.write_text(text)
    with pytest.raises(ResultsError, match=reason) as refused:
        read_triage(triage)
    assert "triage.toml" in refused.value.message


def test_an_id_that_no_record_has_is_named(triage: Path) -> None:
    triage.write_text(
        f'["{ID}"]\nverdict = "expected"\nwhy = "x"\n\n["0123456789ab"]\nverdict = "expected"\nwhy = "x"\n'
    )
    (line,) = unknown_ids(read_triage(triage), [a_record()])
    assert line == (
        "triage.toml: no change record has the id 0123456789ab: remove it, or look it up with restbench changes"
    )
