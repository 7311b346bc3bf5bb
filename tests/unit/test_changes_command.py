"""`restbench changes`: what became faster or slower, as a list and as JSON."""

import json
from pathlib import Path

import pytest

from restbench.changes.comparison import Cause, CauseKind
from restbench.changes.records import append_records
from restbench.commands.changes import changes
from restbench.errors import UsageError
from tests.made.changes import a_record
from tests.unit.conftest import Golden

BUMP = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
SLOWER = a_record(ratio=1.06, number=1, causes=[BUMP])
SAME = a_record("python/starlette", ratio=1.0, number=2)
FASTER = a_record("rust/axum", ratio=0.9, number=3)

Out = pytest.CaptureFixture[str]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "frameworks").mkdir()
    monkeypatch.setenv("RESTBENCH_ROOT", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")  # a user's shell may have exported another width
    append_records(tmp_path / "results/changes.jsonl", [SLOWER, SAME, FASTER])
    return tmp_path / "results"


def test_changes_command(results: Path, golden: Golden, capsys: Out, caplog: pytest.LogCaptureFixture) -> None:
    def output(words: str = "") -> str:
        changes([word for word in words.split() if word != "--all"], everything="--all" in words)
        printed, logged = capsys.readouterr(), "".join(f"{message}\n" for message in caplog.messages)
        caplog.clear()
        return f"$ restbench changes {words}".rstrip() + f"\n{printed.out}{printed.err}{logged}"

    texts = [output(), output("--all"), output("python/*")]
    judged = (f'["{record}"]\nverdict = "expected"\nwhy = "It checks more."\n' for record in (SLOWER.id, "0" * 12))
    (results / "triage.toml").write_text("".join(judged))
    texts.append(output("python/falcon"))
    path = results / "changes.jsonl"
    path.write_text("{\n" + path.read_text())
    texts.append(output())
    path.unlink()
    texts.append(output())
    golden("\n".join(texts).replace(str(results), "results"))


def test_an_entry_without_records_is_refused_with_those_that_have_some(results: Path) -> None:
    with pytest.raises(UsageError, match=r"no change record of rust/rocket; entries with records: python/falcon, "):
        changes(["rust/rocket"])


def test_json_has_all_records_and_speeds(results: Path, capsys: Out) -> None:
    changes([], as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert [each["record"]["id"] for each in document["records"]] == [SLOWER.id, SAME.id, FASTER.id]
    assert document["speeds"]["python/falcon"] == {"hello": pytest.approx(1 / 1.06, abs=1e-5)}
