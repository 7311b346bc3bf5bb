"""`restbench changes`: what became faster or slower, as a list and as JSON."""

import json
import re
from pathlib import Path

import pytest

from restbench.changes.store import append_records
from restbench.commands.changes import changes
from restbench.compare.models import Cause, CauseKind
from restbench.errors import UsageError
from tests.made.changes import a_record

BUMP = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
SLOWER = a_record(ratio=1.06, number=1, causes=[BUMP])
SAME = a_record("python/starlette", ratio=1.0, number=2)
FASTER = a_record("rust/axum", ratio=0.9, number=3)

Out = pytest.CaptureFixture[str]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "frameworks").mkdir()
    monkeypatch.setenv("RESTBENCH_ROOT", str(tmp_path))
    append_records(tmp_path / "results/changes.jsonl", [SLOWER, SAME, FASTER])
    return tmp_path / "results"


def printed(capsys: Out) -> list[list[str]]:
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_changes_are_listed_newest_first(results: Path, capsys: Out) -> None:
    changes([])
    faster, slower = printed(capsys)
    assert faster[0] == FASTER.id
    assert faster[2:] == ["rust/axum", "11.1 % faster (10.0 to 12.2); 1 of 1 cells", "nothing that results record", ""]
    assert slower[2] == "python/falcon"
    assert slower[4] == "framework falcon 4.3.0 → 4.4.0"


def test_records_without_a_difference_are_counted_and_printed_on_demand(results: Path, capsys: Out) -> None:
    changes([])
    assert "1 more records claim no difference: --all prints them" in capsys.readouterr().err
    changes([], everything=True)
    assert [line[2] for line in printed(capsys)] == ["rust/axum", "python/starlette", "python/falcon"]


def test_entries_can_be_chosen(results: Path, capsys: Out) -> None:
    changes(["python/*"])
    assert [line[2] for line in printed(capsys)] == ["python/falcon"]
    with pytest.raises(UsageError, match=r"no change record of rust/rocket; entries with records: python/falcon, "):
        changes(["rust/rocket"])


def test_what_was_judged_is_said(results: Path, capsys: Out) -> None:
    (results / "triage.toml").write_text(f'["{SLOWER.id}"]\nverdict = "expected"\nwhy = "It checks more."\n')
    changes(["python/falcon"])
    assert printed(capsys)[0][-1] == "expected"


def test_an_unknown_id_in_the_triage_file_is_said(results: Path, capsys: Out) -> None:
    (results / "triage.toml").write_text('["0123456789ab"]\nverdict = "expected"\nwhy = "It checks more."\n')
    changes([])
    assert "no change record has the id 0123456789ab" in capsys.readouterr().err


def test_json_has_all_records_and_speeds(results: Path, capsys: Out) -> None:
    changes([], as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert [each["record"]["id"] for each in document["records"]] == [SLOWER.id, SAME.id, FASTER.id]
    assert document["speeds"]["python/falcon"] == {"hello": pytest.approx(1 / 1.06, abs=1e-5)}


def test_a_damaged_record_is_told_with_a_remedy_and_the_others_are_listed(
    results: Path, capsys: Out, caplog: pytest.LogCaptureFixture
) -> None:
    path = results / "changes.jsonl"
    path.write_text("{\n" + path.read_text())
    changes([])
    assert re.search(r"line 1 is no change record: .*restore the file from git", caplog.text)
    assert SLOWER.id in capsys.readouterr().out


def test_without_records_nothing_is_listed(results: Path, capsys: Out) -> None:
    (results / "changes.jsonl").unlink()
    changes([])
    assert capsys.readouterr().out == ""
