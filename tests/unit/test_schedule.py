"""When the next run of all entries is due."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from restbench.site.schedule import next_run


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "after", "due"),
    [
        ("17 3 * * 6", "2026-11-24T10:00", "2026-11-28T03:17"),
        ("17 3 * * 6", "2026-11-28T03:16", "2026-11-28T03:17"),
        ("17 3 * * 6", "2026-11-28T03:17", "2026-12-05T03:17"),
        ("0 0 * * 0", "2026-11-24T10:00", "2026-11-29T00:00"),
        ("0 0 * * 7", "2026-11-29T00:01", "2026-12-06T00:00"),
        ("30 12 * * 2", "2026-11-24T10:00", "2026-11-24T12:30"),
    ],
)
def test_the_next_run_is_the_first_one_after_a_time(cron: str, after: str, due: str, tmp_path: Path) -> None:
    (tmp_path / "workflow.yml").write_text(f'on:\n  schedule:\n    - cron: "{cron}"\n')
    assert next_run(at(after), tmp_path / "workflow.yml") == at(due)


def test_without_a_weekly_schedule_there_is_none(tmp_path: Path) -> None:
    assert next_run(at("2026-11-24T10:00"), tmp_path / "absent.yml") is None
    (tmp_path / "workflow.yml").write_text("on: push\n")
    assert next_run(at("2026-11-24T10:00"), tmp_path / "workflow.yml") is None


def test_the_service_has_a_weekly_schedule() -> None:
    due = next_run(at("2026-11-24T10:00"))
    assert due
    assert due - at("2026-11-24T10:00") <= timedelta(weeks=1)
