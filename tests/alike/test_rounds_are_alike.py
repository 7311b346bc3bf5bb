"""An app cannot tell a measured round from a checked one, up to the first wrong body that comes in it.

The recordings are made anew by: .venv/bin/python -m tests.alike
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.alike.rounds import SCENARIOS, Recording, read, record
from tests.alike.tree import chance, features, told_apart

ENOUGH, SHUFFLES = 20, 39
LEVEL = 0.05


@pytest.fixture(scope="module")
def recordings() -> list[Recording]:
    return read()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_tree_cannot_tell_checked_rounds_from_measured_ones(scenario: str, recordings: list[Recording]) -> None:
    mine = [each for each in recordings if each.scenario == scenario]
    kinds = [each.checked for each in mine]
    assert min(kinds.count(True), kinds.count(False)) >= ENOUGH
    told = told_apart(mine)
    assert told.p >= LEVEL, told


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nor_can_a_single_question(scenario: str, recordings: list[Recording]) -> None:
    mine = [each for each in recordings if each.scenario == scenario]
    assert chance(mine, 1, SHUFFLES, random.Random(1)) >= LEVEL


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_tree_can_tell_that_requests_follow_later(scenario: str, recordings: list[Recording]) -> None:
    """As when the load generator has more to do in a checked round."""
    slower = [
        replace(each, reactions=[round(1.5 * us) for us in each.reactions]) if each.checked else each
        for each in recordings
        if each.scenario == scenario
    ]
    assert told_apart(slower).p < LEVEL


@pytest.mark.slow
@pytest.mark.needs("wrk")
def test_the_recordings_are_what_an_app_sees(tmp_path: Path, recordings: list[Recording]) -> None:
    made = record(tmp_path, 1, SCENARIOS, random.Random(1))
    assert {(each.scenario, each.checked) for each in made} == {(each.scenario, each.checked) for each in recordings}
    for each in made:
        like = next(other for other in recordings if other.scenario == each.scenario)
        assert set(features(each)) == set(features(like))
        assert len(each.connections) == len(like.connections) or each.scenario != "hello_world"
        assert set(each.firsts) == set(like.firsts)
        assert len(each.heads) == len(like.heads)
        assert set(each.lengths) <= set(like.lengths)
