"""Ratios over several starts: what rounds of one start do not know, and how wide an honest interval is."""

from math import exp, log, sqrt

import numpy as np
import pytest

from restbench.stats.starts import LUCK_OBSERVED, USUAL_LUCK, Luck, StartSample, effect_of, luck_of, sample_of, together

ALIKE = [1.00, 1.01, 0.99, 1.00]


def shifted(by: float) -> list[float]:
    return [ratio * by for ratio in ALIKE]


def sampled(*starts: list[float]) -> StartSample:
    """The sample of starts that say something."""
    sample = sample_of(list(starts))
    assert sample
    return sample


def test_rounds_of_one_start_are_not_independent() -> None:
    """Many rounds make the mean of a start sure, and not its luck."""
    sample = sampled(shifted(1.02) * 100, shifted(1.02) * 100)
    effect = effect_of(sample, luck_of(sample))
    assert effect.ratio == pytest.approx(1.02, rel=1e-3)
    assert effect.error > USUAL_LUCK / 2 / sqrt(2)
    assert (effect.starts, effect.rounds) == (2, 800)


def test_luck_is_the_variance_between_starts_beyond_that_of_their_rounds() -> None:
    sample = sampled(shifted(1.0), shifted(exp(0.04)))
    variance = np.var(np.log(ALIKE), ddof=1)
    assert sample.luck == pytest.approx(0.04**2 / 2 - variance / 4)


def lucky(spread: float = 0.01) -> StartSample:
    """Two starts 6 % apart, whose rounds differ by the given share."""
    rounds = [1 + spread, 1 - spread] * 3
    return sampled(rounds, [ratio * exp(0.06) for ratio in rounds])


def test_two_starts_hardly_change_what_is_usual() -> None:
    luck = luck_of(lucky())
    assert luck.degrees == LUCK_OBSERVED + 1
    assert USUAL_LUCK < sqrt(luck.variance) < 0.025


def test_the_other_cells_of_an_entry_tell_what_is_usual_for_it() -> None:
    alike = sampled(shifted(1.0), shifted(1.0))
    assert luck_of(alike).variance < USUAL_LUCK**2
    assert 3 * USUAL_LUCK < sqrt(luck_of(alike, [lucky()] * 20).variance) < 0.06 / sqrt(2)


def test_a_cell_whose_rounds_are_noisy_tells_little_of_luck() -> None:
    alike = sampled(shifted(1.0), shifted(1.0))
    quiet, noisy = luck_of(alike, [lucky(0.01)]), luck_of(alike, [lucky(0.2)])
    assert noisy.variance < quiet.variance


def test_starts_that_happen_to_be_alike_do_not_prove_that_there_is_no_luck() -> None:
    sample = sampled(*[shifted(1.0)] * 50)
    assert luck_of(sample).variance == pytest.approx((USUAL_LUCK / 2) ** 2)


def test_a_start_with_few_rounds_weighs_less() -> None:
    noisy = [0.9, 1.1, 0.95, 1.05]
    sample = sampled(noisy * 25, [1.2 * ratio for ratio in noisy[:2]])
    effect = effect_of(sample, Luck(1e-6, 10))
    assert effect.ratio < 1.02


def test_a_start_of_one_round_and_a_single_start_say_nothing() -> None:
    assert sample_of([ALIKE]) is None
    assert sample_of([ALIKE, [1.0], []]) is None


def test_later_starts_are_told_by_their_numbers() -> None:
    sample = sampled(shifted(1.0), [], shifted(1.1), shifted(1.2))
    later = sample.since(2)
    assert later
    assert [start.number for start in later.starts] == [2, 3]
    assert (later.rounds, later.degrees) == (8, sample.degrees)
    assert sample.since(3) is None


def test_all_cells_together_are_the_geometric_mean_of_those_with_every_start() -> None:
    known = [sampled(shifted(by), shifted(by)) for by in (1.02, 0.98)]
    both = together(known)
    assert both
    effect = effect_of(both, luck_of(both))
    assert effect.ratio == pytest.approx(sqrt(1.02 * 0.98), rel=1e-3)
    assert both.starts[0].error == pytest.approx(known[0].starts[0].error / 2)
    assert together([*known, sampled(*[shifted(9.0)] * 3)]) is None  # only one has every start


def test_the_interval_and_the_p_value_agree() -> None:
    sample = sampled(shifted(1.012), shifted(1.02), shifted(1.03))
    effect = effect_of(sample, luck_of(sample))
    low, high = effect.interval(1 - effect.p_value)
    assert low == pytest.approx(1.0)
    assert low < effect.ratio < high
    assert log(high) - effect.log == pytest.approx(effect.log - log(low))


@pytest.mark.parametrize("noise", ["lognormal", "bimodal"])
@pytest.mark.parametrize("starts", [2, 3, 4, 8])
def test_a_95_percent_interval_covers_the_truth_in_at_least_93_of_100(noise: str, starts: int) -> None:
    """Of a single cell, which knows least of its luck, with as much luck as is usual."""
    rng = np.random.default_rng(starts)
    trials, rounds, spread = 5000, 6, 0.02
    draws = rng.standard_normal((trials, starts, rounds))
    if noise == "bimodal":
        draws = 0.9 * rng.choice([-1, 1], draws.shape) + sqrt(1 - 0.9**2) * draws
    logs = USUAL_LUCK * rng.standard_normal((trials, starts, 1)) + spread * draws
    covered = 0
    for trial in np.exp(logs).tolist():
        sample = sampled(*trial)
        low, high = effect_of(sample, luck_of(sample)).interval()
        covered += low <= 1 <= high
    assert covered / trials >= 0.93
