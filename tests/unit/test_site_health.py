"""How each framework is: what the strip of its newest runs has, and which failures count."""

from dataclasses import replace
from datetime import timedelta

import pytest

from restbench.site.health import RUNS, health_of
from restbench.site.pages import Pages
from tests.made.boards import WHEN
from tests.made.site import FASTAPI, made_content


@pytest.mark.parametrize(
    ("runs", "now", "failed"),
    [
        ("good " * 30, "fine", 0),
        ("good " * 30 + "bad bad", f"broken since {WHEN.date()} (2 runs): answers", 2),
        # Only failures up to the newest run count.
        ("bad " * 29 + "good", "fine", RUNS - 1),
    ],
)
def test_a_strip_has_a_square_for_each_of_the_newest_runs(runs: str, now: str, failed: int) -> None:
    content = made_content()
    pages = Pages(content)
    assert pages.section
    place = FASTAPI, pages.section.setting
    *_, good, bad = pages.measured[place]
    measured = []
    for week, kind in enumerate(runs.split(), start=2 - len(runs.split())):
        each = bad if kind == "bad" else good
        run = each.run.model_copy(update={"at": WHEN + timedelta(weeks=week)})
        measured.append(replace(each, run=run))
    (found,) = health_of(pages.section, [content.catalog.entries[FASTAPI]], {place: measured}, [])
    assert found.now == now
    assert found.strip.count("<rect") == RUNS
    assert found.strip.count('class="failed"') == failed
