"""Change points of a whole series, as they look in hindsight."""

from random import Random

from restbench.changes.hindsight import change_points


def levels(*parts: tuple[int, float], seed: int = 1) -> list[float]:
    """Runs with a spread of 1 %: so many at each level."""
    rng = Random(seed)
    return [level + rng.gauss(0, 0.01) for count, level in parts for _ in range(count)]


def test_a_series_without_a_change_has_none() -> None:
    assert sum(len(change_points(levels((52, 0.0), seed=seed))) for seed in range(20)) <= 1


def test_a_step_is_where_it_is() -> None:
    assert change_points(levels((26, 0.0), (26, 0.05))) == [26]


def test_two_steps_are_two() -> None:
    assert change_points(levels((20, 0.0), (20, 0.08), (20, 0.02))) == [20, 40]


def test_a_disturbed_run_is_none() -> None:
    series = levels((52, 0.0))
    series[20] += 0.04
    assert change_points(series) == []


def test_a_short_series_tells_nothing() -> None:
    assert change_points([0.0, 1.0, 2.0]) == []
    assert change_points([]) == []


def test_runs_that_are_alike_are_no_change() -> None:
    assert change_points([0.5] * 30) == []
