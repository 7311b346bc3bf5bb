"""results/triage.toml: what a person said of change records."""

from pathlib import Path

import pytest

from restbench.changes.regressions import Judged, read_triage, unknown_ids
from restbench.errors import ResultsError
from tests.made.changes import a_record

ID = a_record().id


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "triage.toml"


def test_a_judgement_has_a_verdict_and_a_reason(file: Path) -> None:
    file.write_text(f'["{ID}"]\nverdict = "not ours"\nwhy = "Another kernel."\n')
    judged = read_triage(file)[ID]
    assert (judged.verdict, judged.why) == (Judged.NOT_OURS, "Another kernel.")


def test_a_missing_file_judges_nothing(file: Path) -> None:
    assert read_triage(file) == {}


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
def test_a_broken_file_is_refused_with_its_key_and_a_remedy(file: Path, text: str, reason: str) -> None:
    file.write_text(text)
    with pytest.raises(ResultsError, match=reason) as refused:
        read_triage(file)
    assert "triage.toml" in refused.value.message


def test_an_id_that_no_record_has_is_told(file: Path) -> None:
    file.write_text(f'["{ID}"]\nverdict = "expected"\nwhy = "x"\n\n["0123456789ab"]\nverdict = "expected"\nwhy = "x"\n')
    (line,) = unknown_ids(read_triage(file), [a_record()])
    assert line == (
        "triage.toml: no change record has the id 0123456789ab: remove it, or look it up with restbench changes"
    )
