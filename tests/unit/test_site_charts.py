"""Trends as pictures."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from restbench.catalog.load import titles_of
from restbench.results.history import History, history_lines
from restbench.site.charts import trend_svg
from restbench.site.points import OVERALL, RELATIVE, Event, Point, Trend, by_entry, events_of, overall, trends_of
from tests.made.boards import WHEN
from tests.made.changes import a_record
from tests.made.records import START, a_run, an_entry, beside
from tests.made.small import small_catalog


def trend(*middles: float, changed: str | None = None, version: str = "1.0", gap_before: int | None = None) -> Trend:
    """Weekly points. `changed` is what differs before the last one, and `version` its version. A gap of ten weeks is
    before that number."""
    points = []
    for number, middle in enumerate(middles):
        weeks = number + (10 if gap_before is not None and number >= gap_before else 0)
        last = number == len(middles) - 1
        points.append(
            Point(
                WHEN + timedelta(weeks=weeks),
                middle,
                middle * 0.99,
                middle * 1.01,
                version if last else "1.0",
                changed if last else None,
            )
        )
    return Trend("hello/hello_world", RELATIVE, points, relative=True)


def heights(svg: str) -> list[float]:
    (line,) = re.findall(r'<polyline class="line" points="([^"]+)"', svg)
    return [float(point.split(",")[1]) for point in line.split()]


def test_a_slower_version_is_higher() -> None:
    first, *_, last = heights(trend_svg(trend(1.0, 1.0, 1.0, 1.0, 1.2)))
    assert last < first  # y grows downwards


def test_noise_does_not_fill_the_picture() -> None:
    ys = heights(trend_svg(trend(1.0, 1.002, 0.998, 1.0, 1.0)))
    assert max(ys) - min(ys) < 10


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        # A gap stays a gap, and a point between gaps is a dot.
        (trend(1.0, 1.0, 1.0, 1.0, 1.0, gap_before=2), {"<polyline": 2, "<polygon": 2}),
        (trend(1.0, 1.0, 1.0, 1.0, 1.0, gap_before=4), {"<polyline": 1, "<circle": 1}),
        # A few runs are points with their intervals and no line.
        (trend(1.0, 1.1), {"<polyline": 0, "<circle": 2, '<line class="line"': 2}),
        # What is no version of its own is a short mark.
        (trend(1.0, 1.0, changed="1 → 2", version="2"), {'class="mark"': 1, 'class="mark other"': 0}),
        (trend(1.0, 1.0, changed="baseline 1 → 2"), {'class="mark"': 0, 'class="mark other"': 1}),
    ],
)
def test_a_picture_has_the_parts_of_its_line(line: Trend, parts: dict[str, int]) -> None:
    svg = trend_svg(line)
    assert {part: svg.count(part) for part in parts} == parts
    assert 'class="mark other"' not in trend_svg(line, others=False)


def test_texts_of_a_mark_are_text() -> None:
    svg = trend_svg(trend(1.0, 1.0, changed="version <1> → 2", version="<2>"))
    assert "version &lt;1&gt; → 2" in svg
    assert "&lt;2&gt;</text>" in svg


def test_all_cells_together_have_the_mean_of_their_speeds() -> None:
    found = overall([trend(1.0, 1.0), trend(2.0, 1.0)])
    assert found
    assert found.title == OVERALL
    first, last = found.points
    assert last.middle == pytest.approx(100)
    assert first.middle == pytest.approx(100 * 0.5**0.5)  # one cell costs as much as before, the other half
    assert last.high / last.middle == pytest.approx(1.01 ** (1 / 2**0.5), rel=1e-3)  # two cells err less than one


def test_a_cell_that_joins_changes_nothing_before() -> None:
    joins = Trend("hello/other", RELATIVE, trend(5.0, 5.0, 5.0).points[2:], relative=True)
    found = overall([trend(1.0, 1.0, 1.0), joins])
    assert found
    assert [point.middle for point in found.points] == pytest.approx([100, 100, 100])


def test_a_trend_begins_anew_where_the_contract_changed_and_says_so_once() -> None:
    """What is said of the other suite goes on, and there is no step with a ratio."""
    history = History()
    for number, contract in enumerate([1, 1, 2, 2]):
        run = a_run(f"run-{number}", START + timedelta(weeks=number))
        sprint = beside(2.0 if contract == 2 else 9.0, run=run, scenario="sprint", contract=contract)
        cells = [beside(2.0, run=run), sprint]
        for lines in history_lines(an_entry("python/fastapi", run, cells)):
            history.runs[run.id] = lines.run
            history.entries.append(lines.entry)
    ((_, measured),) = by_entry([history]).items()
    plain, rows = trends_of(measured, titles_of(small_catalog()))
    assert plain.cell == "Plain text"
    assert [point.middle for point in rows.points] == pytest.approx([2, 2], rel=1e-3)
    assert len(plain.points) == 4
    begins = "the contract of Issue tracker changed: earlier figures are of other work"
    assert [point.changed for point in rows.points] == [begins, None]
    whole = overall([plain, rows])
    assert whole
    once = [Event(START + timedelta(weeks=2), "4.4.0", begins, False, False)]
    assert events_of(rows, []) == events_of(whole, []) == once


def test_without_cells_there_is_nothing_to_draw() -> None:
    assert overall([]) is None


def happened(line: Trend, *compared: float) -> list[Event]:
    """What happened along a line, if comparisons had these ratios in the week of its last point."""
    return events_of(line, [a_record(ratio=ratio, at=line.points[-1].at) for ratio in compared])


def test_a_mark_is_an_event_with_its_date_and_version() -> None:
    line = trend(1.0, 1.0, changed="version 1.0 → 2.0; runtime 3 → 4", version="2.0")
    assert happened(line) == [Event(line.points[1].at, "2.0", "version 1.0 → 2.0; runtime 3 → 4", True, False)]
    (event,) = happened(trend(1.0, 1.0, changed="baseline 1 → 2"))
    assert not event.is_version


def test_a_step_is_named_with_whether_a_comparison_explains_it() -> None:
    """The intervals of these points reach 1 % in both directions, and a step has to be 10 % more than that."""
    assert happened(trend(1.0, 1.12)) == []
    (event,) = happened(trend(1.0, 1.13))
    assert event.what == "a step of +13.0 %; no comparison explains the step"
    assert event.unexplained
    (event,) = happened(trend(1.0, 1.13), 0.9)
    assert event.what == "a step of +13.0 %"
    assert not event.unexplained
    (event,) = happened(trend(1.13, 1.0), 1.0)
    assert event.what == "a step of −11.5 %; no comparison explains the step", "one that found no difference does not"


def test_a_comparison_of_another_week_explains_no_step() -> None:
    line = trend(1.0, 1.13)
    early = a_record(ratio=0.9, at=line.points[0].at - timedelta(days=3))
    assert [event.unexplained for event in events_of(line, [early])] == [True]


def test_a_gap_is_named_with_any_step_behind_it() -> None:
    line = trend(1.0, 1.0, 1.06, gap_before=2)
    (event,) = happened(line)
    assert event.what == f"no run since {line.points[1].at:%Y-%m-%d}; a step of +6.0 %; no comparison explains the step"
    (event,) = happened(trend(1.0, 1.0, 1.01, gap_before=2))
    assert "step" not in event.what


def test_a_small_step_at_a_mark_is_named_and_the_mark_may_be_its_reason() -> None:
    (event,) = happened(trend(1.0, 1.05, changed="baseline 1 → 2"))
    assert event.what == "baseline 1 → 2; a step of +5.0 %"
    assert not event.unexplained
    (event,) = happened(trend(1.0, 1.2, changed="baseline 1 → 2"))
    assert event.unexplained


def test_the_newest_event_is_the_first() -> None:
    first, last = happened(trend(1.0, 2.0, 1.0))
    assert first.at > last.at


def test_cpu_times_make_no_steps_because_each_run_has_another_machine() -> None:
    assert happened(replace(trend(1.0, 2.0), relative=False)) == []
