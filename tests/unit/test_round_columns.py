"""Rounds as the columns of a result."""

from datetime import timedelta

import pytest

from restbench.results.quantities import LONGEST_RUN
from restbench.results.rounds import duet_columns, solo_columns
from tests.unit.measured import a_duet_round, a_solo_round
from tests.unit.records import START


@pytest.mark.parametrize(
    ("later", "seconds"),
    [
        (timedelta(minutes=2), 120),
        (timedelta(hours=-3), 0),
        (timedelta(days=4000), LONGEST_RUN),
    ],
    ids=["usual", "the clock was set back", "the clock was set ahead by years"],
)
def test_a_round_is_in_its_run_whatever_the_clock_of_the_machine_does(later: timedelta, seconds: int) -> None:
    solo = a_solo_round().model_copy(update={"at": START + later})
    duet = a_duet_round().model_copy(update={"at": START + later})
    assert solo_columns([solo], START).at == [seconds]
    assert duet_columns([duet], START, "python/falcon", None, None).at == [seconds]
