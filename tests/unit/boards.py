"""Made boards: frameworks with up to three variants in five scenarios, and tables of any length."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import Any

from restbench.board import Board, Row, Section, Setting, SuiteTables, Table, build_board
from restbench.catalog import Catalog, Cell
from restbench.catalog.baselines import partner_of
from restbench.catalog.entry import Entry, Language
from restbench.catalog.manifests import FrameworkManifest, LanguageManifest, Native, Scenario, SuiteManifest
from restbench.catalog.suite import Suite
from restbench.results.models import CellResult, EntryResult, Failure, Limit, Machine, RateKind, SoloRounds
from restbench.stats.intervals import Interval, Kind
from tests.unit.full_runs import MACHINE, a_full_run
from tests.unit.records import at_rate, duets, solo

WHEN = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
SOLO_ROUNDS = 7
DUET_ROUNDS = 16
RUN = "20261120T083000Z-00000001"
REASON = "answers: POST /api/v1/board/pydantic/7/task: expected labels ['a|b'], got <nothing> & no *list*"

SCENARIOS = {
    "hello": [("hello_world", "Hello World", "GET", "/hello_world")],
    "issue-tracker": [
        ("userinfo", "User info", "GET", "/api/v1/userinfo/{variant}/{id}"),
        ("sprint", "Sprint with 100 issues", "GET", "/api/v1/sprint/{variant}/{id}"),
        ("create-task", "Create a task", "POST", "/api/v1/board/{variant}/{id}/task"),
        ("update-task", "Update a task", "PUT", "/api/v1/board/{variant}/{id}/task"),
    ],
}
COST = {"hello_world": 1.0, "userinfo": 1.9, "sprint": 11.0, "create-task": 2.6, "update-task": 1.6}
VARIANT_COST = {None: 1.0, "raw": 1.05, "msgspec": 1.0, "dataclasses": 1.6, "pydantic": 1.25, "typed": 0.9}


@dataclass(frozen=True)
class Made:
    """A framework of the made catalogue, and what it answers a second in Hello World."""

    title: str
    language: str
    variants: tuple[str, ...]
    speed: float


PYTHON = {
    "falcon": Made("Falcon", "python", ("raw", "msgspec"), 15800.0),
    "fastapi": Made("FastAPI", "python", ("raw", "dataclasses", "pydantic"), 9400.0),
    "starlette": Made("Starlette", "python", ("raw",), 12700.0),
}
OTHERS = {
    "actix": Made("Actix", "rust", ("raw", "typed"), 84000.0),
    "axum": Made("axum", "rust", ("raw", "typed"), 81000.0),
    "jooby": Made("Jooby", "java", ("raw", "typed"), 64000.0),
}
NGINX = Made("nginx", "reference", (), 98000.0)

LANGUAGES = {
    "python": ("Python", "falcon"),
    "rust": ("Rust", "axum"),
    "java": ("Java", None),
    "reference": ("Reference", None),
}


def made_catalog(several: bool = False) -> Catalog:
    """The frameworks and suites of `made_board`, without files. `several`: of three languages in place of one."""
    suites = {
        name: Suite(
            name,
            Path("fixtures") / name,
            SuiteManifest(
                title=name.replace("-", " ").capitalize(),
                about=f"What {name} asks of an app.",
                variants=["raw", "msgspec", "dataclasses", "pydantic", "typed"] if name != "hello" else [],
                without_schema=["raw"] if name != "hello" else [],
                scenario=[
                    Scenario(name=n, title=title, method=method, path=path, status=200, rate=1000)
                    for n, title, method, path in scenarios
                ],
            ),
        )
        for name, scenarios in SCENARIOS.items()
    }
    frameworks = {**PYTHON, **(OTHERS if several else {}), "nginx": NGINX}
    entries = [_entry(name, made, suites) for name, made in frameworks.items()]
    return Catalog(suites, {entry.id: entry for entry in entries})


def _entry(name: str, made: Made, suites: dict[str, Suite]) -> Entry:
    title, baseline = LANGUAGES[made.language]
    language = Language(
        made.language,
        Path("frameworks") / made.language,
        LanguageManifest(
            registry="pypi", title=title, ranked=made is not NGINX, baseline=baseline, native=Native(start=["serve"])
        ),
    )
    manifest = FrameworkManifest(
        title=made.title,
        package=f"pypi:{name}",
        homepage=f"https://{name}.example.org",
        source=f"https://code.example.org/{name}",
        interface="native" if made is NGINX else "asgi",
        server=None if made is NGINX else "gunicorn+uvicorn",
        status="unmaintained" if name == "starlette" else "maintained",
        suites={"hello": True, **({"issue-tracker": list(made.variants)} if made.variants else {})},
    )
    return Entry(name, language.folder / name, language, manifest, suites)


def made_board(oha: str | None = "1.12.0", several: bool = False) -> Board:
    """A board with a failed cell, one that noise limited, one with refused rounds, and the reference."""
    catalog = made_catalog(several)
    return build_board(catalog, [_result(catalog, entry, oha) for entry in catalog.entries.values()])


def machine(oha: str | None = "1.12.0") -> Machine:
    load_generators = ("wrk 4.1.0", *([f"oha {oha}"] if oha else []))
    return MACHINE.model_copy(update={"machine_class": "github-hosted-x86_64-4cpu", "load_generators": load_generators})


def _result(catalog: Catalog, entry: Entry, oha: str | None) -> EntryResult:
    changes = {"target": "native", "profile": "quick", "machine": machine(oha), "version": "0.139.0"}
    run = a_full_run(RUN, WHEN).model_copy(update={**changes, "released": date(2026, 9, 30)})
    return EntryResult(
        entry=entry.id,
        runs={run.id: run},
        cells=[_cell(catalog, entry, cell, oha) for cell in entry.cells(list(SCENARIOS))],
    )


def _cell(catalog: Catalog, entry: Entry, cell: Cell, oha: str | None) -> CellResult:
    made = {**PYTHON, **OTHERS, "nginx": NGINX}[entry.name]
    random = Random(str(cell))
    middle = made.speed / COST[cell.scenario] / VARIANT_COST[cell.variant]
    fields: dict[str, Any] = {"solo": _solo(random, middle, Limit.APP)}
    if oha:
        fields["latency"] = [
            at_rate(RateKind.COMMON, 1000, [3e3 / middle, 3.1e3 / middle]),
            at_rate(RateKind.HALF, round(middle / 2), [9e3 / middle, 9.5e3 / middle]),
        ]
    baseline = catalog.baseline_of(entry)
    if baseline is None and entry.language.manifest.ranked:
        fields["no_duets"] = f"{entry.language.manifest.title} has no baseline"
    elif baseline and baseline.id != entry.id:
        fields["duets"] = _duets(random, middle, entry, cell, baseline)
    match entry.name, cell.scenario, cell.variant:
        case "fastapi", "create-task", "pydantic":
            check, _, rest = REASON.partition(": ")
            request, _, rest = rest.partition(": expected ")
            expected, _, got = rest.partition(", got ")
            failure = Failure(check=check, request=request, expected=expected, got=got)
            fields = {"solo": SoloRounds(), "failure": failure}
        case "starlette", "userinfo", "raw":
            fields["solo"] = _solo(random, middle, Limit.NOISE)
        case "falcon", "sprint", "raw":
            fields["refused"] = {"others used the app's CPUs": 2}
        case (("nginx" | "jooby" | "axum" | "actix"), "hello_world", _):
            fields["solo"] = _solo(random, middle, Limit.LOAD_GENERATOR)
    return CellResult(run=RUN, suite=cell.suite, scenario=cell.scenario, variant=cell.variant, **fields)


def _solo(random: Random, middle: float, limit: Limit) -> SoloRounds:
    return solo([middle * random.lognormvariate(0, 0.08) for _ in range(SOLO_ROUNDS)], limit)


def _duets(random: Random, middle: float, entry: Entry, cell: Cell, baseline: Entry) -> Any:
    partner = partner_of(entry, cell, baseline)
    assert partner, f"{cell} has no partner"
    made = {**PYTHON, **OTHERS}[baseline.name]
    theirs = made.speed / COST[cell.scenario] / VARIANT_COST[partner.variant]
    ratios = [theirs / middle * random.lognormvariate(0, 0.03) for _ in range(DUET_ROUNDS)]
    return duets(ratios, baseline.id, partner.variant, theirs)


def long_table(rows: int, variants: int = 1) -> Table:
    """A table of that many ranked rows, with names as long as they come, best first."""
    return Table("create-task", "Create a task", "POST /task", [long_row(i, variants) for i in range(rows)])


def long_row(number: int, variants: int = 1) -> Row:
    """A row whose speed is derived, but for the first, which is the baseline."""
    cost = 0.97**-number
    framework = number // variants
    speed = 16000.0 / cost
    return Row(
        entry=f"python/framework-{framework:03}",
        title=f"Some framework {framework:03}",
        language="Python",
        homepage="https://example.org",
        version="1.2.3",
        unmaintained=False,
        variant=["raw", "msgspec", "dataclasses"][number % variants] if variants > 1 else None,
        measured=WHEN,
        rank_first=number + 1,
        rank_last=number + 1,
        throughput=Interval(speed, speed * 0.9, speed * 1.1, SOLO_ROUNDS, Kind.INTERVAL),
        relative_cost=Interval(cost, cost * 0.985, cost * 1.02, DUET_ROUNDS, Kind.INTERVAL) if number else None,
        baseline=number == 0,
        derived=number > 0,
        speed=Interval(speed, speed * 0.98, speed * 1.015, DUET_ROUNDS, Kind.INTERVAL if number else Kind.SINGLE),
        percent_of_best=100 / cost,
        limit=Limit.APP,
    )


def board_of(*tables: Table) -> Board:
    """A board of one section with just those tables."""
    facts = made_board().sections[0].facts[:1]
    suite = SuiteTables("issue-tracker", "Issue tracker", "A sprint board.", list(tables), [], [], [])
    setting = Setting("docker", "full", "lab")
    return Board([Section(setting, WHEN, WHEN, [machine()], [suite], facts, None, SOLO_ROUNDS, DUET_ROUNDS)])
