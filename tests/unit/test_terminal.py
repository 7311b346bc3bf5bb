"""What a run prints at its end: who is faster, by how much, and what was not measured."""

from collections.abc import Callable
from pathlib import Path

import pytest

from restbench.board import Board, build_board
from restbench.commands.bench import summary_markdown
from restbench.measure.outcome import Shortage
from restbench.render import terminal
from restbench.render.answer import RunAnswer, answer_of, disturbed_answer
from restbench.render.terminal import print_answer
from restbench.results.models import CellResult, RateKind, SoloRounds
from restbench.system.programs import Others
from restbench.system.quotas import Quota
from tests.made.boards import made_board
from tests.made.records import FALCON, MACHINE, a_cell, a_failed_cell, a_run, an_entry, at_rate, beside, own_baseline
from tests.made.shown import shown_board
from tests.made.small import small_board, small_catalog
from tests.unit.conftest import Golden

SCENARIOS = ("hello_world", "userinfo", "sprint", "create-task")
JOOBY, OTHERS = "java/jooby", Others((("cargo", 0.92), ("php-fpm", 0.31)), 9.9)
QUOTA = Quota(0.5, Path("/sys/fs/cgroup/cpu.max"))
GO_ON = "restbench bench --resume"
MISSING = "oha is missing: run make tools"


def cells(*costs: float, spread: float = 0.01) -> list[CellResult]:
    """Cells in the first scenarios, with these relative costs."""
    return [
        beside(cost, spread=spread, scenario=scenario, baseline=own_baseline(scenario=scenario).baseline)
        for scenario, cost in zip(SCENARIOS, costs, strict=False)
    ]


def baseline(entry: str = FALCON, cost: float = 100) -> list[CellResult]:
    return [own_baseline(entry, cost, scenario=scenario) for scenario in SCENARIOS]


def two() -> Board:
    return small_board(falcon=baseline(), fastapi=cells(2.4, 4.7, 3.5, 1.03))


def five() -> Board:
    """Seven frameworks, of which the first two change places, and one fails."""
    failed = [*cells(1.5, 1.6), a_failed_cell(scenario="sprint")]
    return small_board(
        falcon=baseline(),
        sanic=cells(1.3, 0.8, 1.4, 1.2),
        starlette=cells(1.5, 1.6),
        fastapi=cells(2.4, 4.7, 3.5, 2.0),
        litestar=failed,
        flask=cells(12, 13),
        aiohttp=cells(1.04, 1.05, 1.06, 1.07),
    )


def two_languages() -> Board:
    """Two runs measured a language each, and nothing links them."""
    runs = [a_run(f"20260301T093000Z-0000000{number}") for number in range(2)]
    results = [
        an_entry(FALCON, runs[0], [own_baseline(run=runs[0])]),
        an_entry("python/fastapi", runs[0], [beside(2.4, run=runs[0])]),
        an_entry(JOOBY, runs[1], [own_baseline(JOOBY, 20, run=runs[1])]),
    ]
    return build_board(small_catalog(), results)


def without_oha() -> Board:
    run = a_run(machine=MACHINE.model_copy(update={"load_generators": ("wrk 4.1.0",)}))
    batch = a_cell(run, "bcrypt", suite="workload", variant=None, solo=SoloRounds(), not_run=MISSING)
    own = own_baseline(run=run)
    results = [
        an_entry(FALCON, run, [own, batch]),
        an_entry("python/fastapi", run, [beside(2.4, run=run), batch]),
    ]
    return build_board(small_catalog(), results)


def without_p99() -> Board:
    few = [at_rate(RateKind.COMMON, 500, requests=250)]
    return small_board(falcon=own_baseline(latency=few), fastapi=beside(2.4, latency=few))


def features() -> Board:
    """Nothing was loaded."""
    known = dict.fromkeys(small_catalog().suites["solr"].scenario("openapi").features, True)
    cell = a_cell(scenario="openapi", suite="solr", variant="msgspec", solo=SoloRounds(), features=known)
    return small_board(falcon=cell, litestar=cell.model_copy(update={"features": {**known, next(iter(known)): False}}))


def lack(lacking: int, refused: int) -> RunAnswer:
    return disturbed_answer(Shortage(lacking, 8, refused, 64, OTHERS), GO_ON)


ANSWERS: dict[str, Callable[[], RunAnswer]] = {
    "two frameworks": lambda: answer_of(two()),
    "seven frameworks": lambda: answer_of(five()),
    "one framework": lambda: answer_of(small_board(falcon=baseline())),
    "three languages that a run measured together": lambda: answer_of(made_board(several=True)),
    "two languages that nothing links": lambda: answer_of(two_languages()),
    "no difference is certain": lambda: answer_of(small_board(falcon=baseline(), fastapi=cells(1.02, 0.98))),
    "without a baseline": lambda: answer_of(small_board(falcon=a_cell(), fastapi=a_cell())),
    "without oha": lambda: answer_of(without_oha()),
    "too few requests for p99": lambda: answer_of(without_p99()),
    "features alone": lambda: answer_of(features()),
    "nothing": lambda: answer_of(Board([])),
    "all rounds refused": lambda: lack(8, 64),
    "some rounds refused": lambda: lack(3, 30),
    "all rounds throttled": lambda: disturbed_answer(Shortage(8, 8, 0, 64, OTHERS, 64, QUOTA), GO_ON),
    "rounds throttled and disturbed": lambda: disturbed_answer(Shortage(3, 8, 9, 64, OTHERS, 20, QUOTA), GO_ON),
    "rounds disturbed under a quota": lambda: disturbed_answer(Shortage(3, 8, 9, 64, OTHERS, 0, QUOTA), GO_ON),
    "rounds of a container throttled": lambda: disturbed_answer(Shortage(3, 8, 0, 64, OTHERS, 20), GO_ON),
    "programs that cannot be seen": lambda: disturbed_answer(Shortage(1, 1, 3, 3, Others((), 9.9)), GO_ON),
}


@pytest.mark.parametrize("width", [60, 140])
def test_answers(
    width: int, golden: Golden, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PIPED_WIDTH", width)
    for kind, make in ANSWERS.items():
        print(f"== {kind}")
        print_answer(make())
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    golden("\n".join(lines) + "\n")
    assert max(map(len, lines)) <= width


def test_job_summary(golden: Golden) -> None:
    """It has all tables after the answer."""
    text = summary_markdown(answer_of(shown_board()), shown_board())
    golden("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
    assert text.startswith("<pre>\n")
    assert text.endswith("\n</pre>\n")
    assert "got &lt;nothing&gt; &amp; no *list*" in text
    assert "\x1b" not in text


def test_columns_and_tables_without_a_figure_are_not_there() -> None:
    text = summary_markdown(answer_of(without_oha()), without_oha())
    assert "p99" not in text
    assert "Workload: Password hash" not in text
    assert "Not measured: percentiles, Workload: oha is missing" in text


def test_a_claim_of_an_answer_is_one_of_the_board() -> None:
    """A row that is faster by its figures, and not certainly, is not called faster."""
    noisy = small_board(falcon=baseline(), fastapi=cells(*[1.3] * 4, spread=0.2))
    assert answer_of(noisy).sentences[0].startswith("No difference is certain")
    assert answer_of(two()).sentences == [
        "Falcon is certainly faster than FastAPI in 3 of 4 scenarios (2.4 to 4.7 times as fast)."
    ]
