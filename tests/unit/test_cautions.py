"""What a person should know before they trust a run."""

from restbench.measure.gate import THROTTLED
from restbench.render.terminal import warnings_of
from restbench.results.models import CellResult, EntryResult, Limit
from tests.made.records import MACHINE, a_cell, a_run, around, solo
from tests.unit.conftest import Golden

NOISY = a_cell(scenario="sprint", solo=solo(around(900), Limit.NOISE))
REFUSED = a_cell(refused={"errors: read": 1, "others used the app's CPUs": 4})


def warnings(*cells: CellResult, runtime_build: str | None = None, **machine: object) -> str:
    run = a_run(machine=MACHINE.model_copy(update=machine), runtime="CPython 3.13.0", runtime_build=runtime_build)
    results = [EntryResult(entry="python/falcon", runs={run.id: run}, cells=list(cells))] if cells else []
    return "".join(f"  {warning}\n" for warning in warnings_of(results))


def test_cautions(golden: Golden) -> None:
    cases = {
        "a calm run": warnings(a_cell(refused={"errors: read": 1})),
        "nothing measured": warnings(),
        "no round that counts": warnings(a_cell(solo=solo([]))),
        "many refused rounds": warnings(REFUSED),
        "throttled rounds": warnings(a_cell(refused={THROTTLED: 9})),
        "a cell that noise limited": warnings(a_cell(), NOISY),
        "one CPU": warnings(a_cell(), pinned=False),
        "an interpreter without PGO": warnings(a_cell(), runtime_build="no PGO, no LTO"),
    }
    golden("".join(f"{title}\n{text}" for title, text in cases.items()))
