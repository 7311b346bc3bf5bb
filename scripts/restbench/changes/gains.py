"""What changes did to the costs of baselines, as the board needs it: rows may be older or newer than the links."""

from collections.abc import Iterable
from math import log

from restbench.board.links import Gain
from restbench.changes.records import ChangeRecord


def gains_of(records: Iterable[ChangeRecord]) -> list[Gain]:
    """Returns what each record measured of each cell, whether or not it claims a difference."""
    return [
        Gain(
            entry=record.entry,
            target=record.target,
            at=record.at,
            suite=suite,
            scenario=scenario,
            variant=variant[0] if variant else None,
            log_ratio=log(cost.ratio),
            # the 95 % interval reaches about two standard errors to each side
            variance=(log(cost.high / cost.low) / 4) ** 2,
        )
        for record in records
        for name, cost in record.cells.items()
        if cost.ratio and cost.low and cost.high
        for suite, scenario, *variant in [name.split("/")]
    ]
