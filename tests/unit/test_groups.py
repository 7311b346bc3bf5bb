"""Groups: what they claim, and that they follow the order."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from restbench.stats.estimates import Estimate, Part, Spread, Standing, certainly_faster, standings


def estimate(log: float, error: float = 0.01, number: int = 0) -> Estimate:
    """A row with that error beside its rounds, which have none."""
    return Estimate(log, Spread(0.0, 10, 10), {number: Part(error**2)})


def standings_of(rows: list[Estimate]) -> list[Standing]:
    return standings(len(rows), certainly_faster(rows))


def numbers(*logs: float, **errors: float) -> list[int]:
    """The groups of rows with these logarithms. `errors`: the error of the row of that number, such as r2."""
    return [row.group for row in found(*logs, **errors)]


def found(*logs: float, **errors: float) -> list[Standing]:
    return standings_of([estimate(log, errors.get(f"r{row}", 0.01), row) for row, log in enumerate(logs)])


@st.composite
def tables(draw: st.DrawFn) -> list[Estimate]:
    rows = draw(st.lists(st.tuples(st.floats(-2, 2), st.sampled_from([0.01, 0.05, 0.3])), max_size=12))
    ordered = sorted(rows, reverse=True)
    return [estimate(log, error, number) for number, (log, error) in enumerate(ordered)]


def test_a_group_begins_where_all_that_remains_is_certainly_slower_than_the_first_of_the_group() -> None:
    assert numbers(0, -0.05, -0.5, -0.55, -1) == [1, 1, 2, 2, 3]


def test_a_group_is_compared_with_its_first_row_and_not_with_its_last() -> None:
    """Rows that follow each other closely still part where the first one is far enough away."""
    assert numbers(0, -0.1, -0.2, -0.3, -0.4, -0.5) == [1, 1, 2, 2, 3, 3]


def test_a_noisy_row_holds_those_before_it_together_and_who_is_certainly_slower_is_marked() -> None:
    assert numbers(0, -0.5, -0.6, -3, r2=0.5) == [1, 1, 1, 2]
    assert [row.behind for row in found(0, -0.5, -0.6, -3, r2=0.5)] == [False, True, False, False]


def test_one_row_and_none() -> None:
    assert numbers(0) == [1]
    assert numbers() == []


@given(tables())
def test_numbers_rise_by_one_and_the_first_of_a_group_is_claimed_to_beat_all_of_the_next_ones(
    table: list[Estimate],
) -> None:
    rows, certain = standings_of(table), certainly_faster(table)
    groups = [row.group for row in rows]
    assert groups == sorted(groups)
    assert set(groups) == set(range(1, max(groups, default=0) + 1))
    for place, row in enumerate(rows):
        if row.group > 1:
            assert (groups.index(row.group - 1), place) in certain
        assert row.behind == ((groups.index(row.group), place) in certain)


@given(tables(), st.randoms(use_true_random=False))
def test_the_same_rows_have_the_same_groups_in_whatever_order_they_came(table: list[Estimate], random: Random) -> None:
    def by_row(rows: list[Estimate]) -> dict[object, Standing]:
        return {next(iter(row.parts)): standing for row, standing in zip(rows, standings_of(rows), strict=True)}

    shuffled = random.sample(table, len(table))
    assert by_row(sorted(shuffled, key=lambda row: (-row.log, next(iter(row.parts))))) == by_row(table)
