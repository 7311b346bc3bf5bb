"""How a run shows that it goes on."""

from io import StringIO

import pytest
from rich.console import Console

from restbench.catalog import Cell
from restbench.measure.events import Built, Disturbed, Event, Failed, Planned, Remarked, Visited
from restbench.render.progress import LineProgress, LiveProgress, TimeLeft, progress_on
from restbench.results.models import Failure
from restbench.system.programs import Others
from tests.made.records import a_duet_round, a_latency_round, a_solo_round
from tests.unit.conftest import Golden

OTHERS = Others((("cargo", 0.92), ("[php]", 0.31)), 9.9)
CELL = Cell("python/fastapi", "hello", "hello_world", None)


def lines_of(*events: Event, seconds_each: float = 0.0) -> list[str]:
    """What a log gets of events that come one after the other, with so many seconds between them."""
    out, now = StringIO(), [0.0]
    progress = LineProgress(Console(file=out), clock=lambda: now[0])
    for event in events:
        now[0] += seconds_each
        progress.observe(event)
    return out.getvalue().splitlines()


def left_after(done: int, *, before: float, seconds_each: float) -> float:
    """The seconds that are left of 110 announced for 10 rounds, of which so many are over.

    `before`: the seconds until the first one was over. The others took `seconds_each`.
    """
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    left.plan(Planned(10, 110))
    for number in range(done):
        now[0] += seconds_each if number else before
        left.visited()
    return left.seconds


def test_what_comes_before_the_rounds_does_not_make_them_slower() -> None:
    assert left_after(1, before=10, seconds_each=10) == pytest.approx(90)
    assert left_after(9, before=10, seconds_each=10) == pytest.approx(10)


def test_the_time_that_is_left_follows_what_rounds_take() -> None:
    assert left_after(6, before=10, seconds_each=10) == pytest.approx(40)
    assert left_after(6, before=10, seconds_each=20) == pytest.approx(4 * (10 + 100) / 6)
    assert left_after(10, before=10, seconds_each=20) == 0


def test_a_log_has_a_line_a_minute_however_many_rounds_there_are() -> None:
    lines = lines_of(Planned(300, 300), *[Visited(CELL, a_solo_round())] * 300, seconds_each=1)
    assert [line.split(" min")[0] for line in lines[1:]] == [
        f"{60 * minute - 1} of 300 rounds after {minute}:00" for minute in range(1, 6)
    ]


def live(*events: Event) -> list[str]:
    """The line of the cell that a terminal shows last, in words, after those events."""
    out = StringIO()
    with LiveProgress(Console(file=out, force_terminal=True, width=140, height=40, no_color=True)) as progress:
        for event in events:
            progress.observe(event)
        progress.observe(Planned(10, 60))
    name = str(CELL)
    # the bar names the cell too, after what was done
    lines = [line.split() for line in out.getvalue().splitlines() if name in line and "━" not in line]
    return lines[-1][lines[-1].index(name) :] if name in lines[-1] else [name, *lines[-1][1:]]


def test_log(golden: Golden) -> None:
    failure = Failure(check="start", got="it did not come up [at all]")
    lines = lines_of(
        Built("python/fastapi", 3.21, cached=False),
        Built("python/falcon", 0.0, cached=True),
        Remarked("python/falcon", "its date is not known"),
        Failed("python/fastapi", CELL, failure),
        Disturbed(OTHERS),
        Planned(20, 90),
        Disturbed(OTHERS, 5),
        *[Visited(CELL, a_solo_round())] * 20,
        seconds_each=10,
    )
    golden("".join(f"{line}\n" for line in lines))


def test_a_terminal_shows_medians_of_the_rounds_that_count_by_kind() -> None:
    assert live(
        Visited(CELL, None),
        *[Visited(CELL, a_solo_round(throughput=throughput)) for throughput in (9_000, 10_000, 12_000)],
        Visited(CELL, a_solo_round(throughput=1_000, invalid=["errors: read"])),
        *[Visited(CELL, a_duet_round(cost)) for cost in (1.5, 1.7)],
        Visited(CELL, a_latency_round()),
    ) == [str(CELL), "5", "1", "10,000", "1.60", "app"]


def test_a_terminal_shows_a_cell_of_which_no_round_counts_yet() -> None:
    assert live(Visited(CELL, a_duet_round(1.5, invalid=["too few answers"]))) == [str(CELL), "0", "1"]


def test_a_quiet_run_says_nothing_of_other_programs() -> None:
    out = StringIO()
    with progress_on(out, quiet=True) as observe:
        observe(Disturbed(OTHERS, 5))
    assert out.getvalue() == ""
