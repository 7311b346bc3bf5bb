"""A decision tree that tells checked rounds from measured ones by what an app sees of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import fmean, median, pstdev

from scipy.stats import binomtest

from tests.alike.rounds import Recording

DEPTH, FEWEST = 3, 4
"""How many questions a tree asks at most, and how many rounds each of its leaves has at least."""

Features = dict[str, float]


def features(seen: Recording) -> Features:
    """Returns figures of a round. None depends on when it was cut."""
    accepted = [each.accepted for each in seen.connections]
    counts = [each.requests for each in seen.connections]
    steps = [b - a for a, b in pairwise(sorted(accepted))] or [0]
    total, bins = sum(counts), seen.rates[:-1] or seen.rates
    named = {
        "connections": len(counts),
        "closed before": seen.closed,
        "asked before": seen.asked,
        "most open": seen.most_open,
        "waited": seen.waited,
        "opening": max(accepted) - min(accepted),
        "longest step of opening": max(steps),
        "median step of opening": median(steps),
        "range of ports": seen.ports[1] - seen.ports[0],
        "kinds of first requests": len(seen.firsts),
        "sets of fields": len(seen.heads),
        "lengths": len(seen.lengths),
        "mean length": sum(int(length) * count for length, count in seen.lengths.items()) / total,
        "rate": total / seen.seconds,
        "spread of connections": pstdev(counts) / fmean(counts),
        "busiest connection": max(counts) / fmean(counts),
        "laziest connection": min(counts) / fmean(counts),
        "ids again": seen.again / total,
        "ids alike": sum(each.alike for each in seen.connections) / total,
        "first rate": bins[0],
        "spread of rate": pstdev(bins) / fmean(bins),
        "least rate": min(bins) / fmean(bins),
        "reaction, median of medians": median(each.reaction for each in seen.connections),
        "reaction, least of medians": min(each.reaction for each in seen.connections),
    }
    quantiles = {
        f"{name} {i}": float(figure)
        for name, figures in (("gap", seen.gaps), ("reaction", seen.reactions))
        for i, figure in enumerate(figures)
    }
    return {**named, **quantiles}


@dataclass(frozen=True)
class Leaf:
    checked: bool


@dataclass(frozen=True)
class Question:
    """Whether a feature is at most a bound, and what follows in either case."""

    feature: str
    bound: float
    yes: "Leaf | Question"
    no: "Leaf | Question"


def grow(rows: Sequence[Features], checked: Sequence[bool], depth: int = DEPTH) -> Leaf | Question:
    """Returns the tree that at each step takes the question with the least Gini impurity (Breiman et al., 1984)."""
    leaf = Leaf(2 * sum(checked) > len(checked))
    best: tuple[float, str, float] | None = None
    for feature in rows[0] if depth and 0 < sum(checked) < len(checked) else ():
        order = sorted((row[feature], kind) for row, kind in zip(rows, checked, strict=True))
        kinds = list(accumulate((kind for _, kind in order), initial=0))
        for i in range(FEWEST, len(order) - FEWEST + 1):
            if order[i - 1][0] < order[i][0]:
                sides = (kinds[i], i), (kinds[-1] - kinds[i], len(order) - i)
                impurity = sum(of_kind * (1 - of_kind / size) for of_kind, size in sides)
                bound = (order[i - 1][0] + order[i][0]) / 2
                best = min(best or (impurity, feature, bound), (impurity, feature, bound))
    if best is None:
        return leaf
    _, feature, bound = best
    yes = [row[feature] <= bound for row in rows]

    def side(wanted: bool) -> Leaf | Question:
        mine = [i for i, answer in enumerate(yes) if answer == wanted]
        return grow([rows[i] for i in mine], [checked[i] for i in mine], depth - 1)

    return Question(feature, bound, side(True), side(False))


def ask(tree: Leaf | Question, row: Features) -> bool:
    while isinstance(tree, Question):
        tree = tree.yes if row[tree.feature] <= tree.bound else tree.no
    return tree.checked


@dataclass(frozen=True)
class Told:
    """How often a tree that was grown of all other rounds is right about a round. `first`: what most trees ask first.

    `p`: how probable so many right ones are where it guesses.
    """

    right: int
    rounds: int
    first: str

    @property
    def p(self) -> float:
        return float(binomtest(self.right, self.rounds, alternative="greater").pvalue)

    def __str__(self) -> str:
        return (
            f"{self.right} of {self.rounds} rounds are told (p = {self.p:.2g}); most trees ask first for {self.first}"
        )


def told_apart(recordings: Sequence[Recording], depth: int = DEPTH) -> Told:
    """Leaves out one recording at a time, and asks the tree of the others about it."""
    return _told([features(each) for each in recordings], [each.checked for each in recordings], depth)


def _told(rows: Sequence[Features], checked: Sequence[bool], depth: int) -> Told:
    right, firsts = 0, []
    for i in range(len(rows)):
        tree = grow([*rows[:i], *rows[i + 1 :]], [*checked[:i], *checked[i + 1 :]], depth)
        right += ask(tree, rows[i]) == checked[i]
        firsts.append(tree.feature if isinstance(tree, Question) else "nothing")
    return Told(right, len(rows), max(set(firsts), key=firsts.count))


def chance(recordings: Sequence[Recording], depth: int, shuffles: int, rng: random.Random) -> float:
    """Returns how probable it is that a tree is right so often where it is by chance which rounds were checked.

    The trees of one set of recordings are alike, so that all guess right or wrong together: the binomial test finds
    too much. Here the kinds are shuffled.
    """
    rows, checked = [features(each) for each in recordings], [each.checked for each in recordings]
    right = _told(rows, checked, depth).right
    shuffled = [_told(rows, rng.sample(checked, len(checked)), depth).right for _ in range(shuffles)]
    return (1 + sum(each >= right for each in shuffled)) / (1 + shuffles)
