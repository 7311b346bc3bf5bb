"""Made boards: three frameworks with up to three variants in five scenarios, and tables of any length."""

from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

from restbench.board import Board, FactsRow, Row, Section, Setting, SuiteTables, Table, build_board
from restbench.catalog import Catalog
from restbench.catalog.entry import Entry, Language
from restbench.catalog.manifests import FrameworkManifest, LanguageManifest, Native, Scenario, SuiteManifest
from restbench.catalog.suite import Suite
from restbench.results.models import (
    CellResult,
    EntryResult,
    Failure,
    FixedRate,
    Latencies,
    Limit,
    Machine,
    Round,
    Run,
)
from restbench.stats import Estimate

WHEN = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
ROUNDS = 5
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
VARIANTS = {"falcon": ["raw", "msgspec"], "fastapi": ["raw", "dataclasses", "pydantic"], "starlette": ["raw"]}
TITLES = {"falcon": "Falcon", "fastapi": "FastAPI", "starlette": "Starlette", "nginx": "nginx"}
SPEED = {"falcon": 15800.0, "fastapi": 9400.0, "starlette": 12700.0, "nginx": 98000.0}
COST = {"hello_world": 1.0, "userinfo": 1.9, "sprint": 11.0, "create-task": 2.6, "update-task": 1.6}
VARIANT_COST = {None: 1.0, "raw": 1.05, "msgspec": 1.0, "dataclasses": 1.6, "pydantic": 1.25}


def made_catalog() -> Catalog:
    """The frameworks and suites of `made_board`, without files."""
    suites = {
        name: Suite(
            name,
            Path("fixtures") / name,
            SuiteManifest(
                title=name.replace("-", " ").capitalize(),
                about=f"What {name} asks of an app.",
                variants=["raw", "msgspec", "dataclasses", "pydantic"] if name != "hello" else [],
                scenario=[
                    Scenario(name=n, title=title, method=method, path=path, status=200)
                    for n, title, method, path in scenarios
                ],
            ),
        )
        for name, scenarios in SCENARIOS.items()
    }
    native = Native(start=["serve"])
    python = Language("python", Path("frameworks/python"), LanguageManifest(title="Python", native=native))
    other = LanguageManifest(title="Reference", ranked=False, native=native)
    entries = [_entry(name, python, suites) for name in VARIANTS]
    entries.append(_entry("nginx", Language("reference", Path("frameworks/reference"), other), suites))
    return Catalog(suites, {entry.id: entry for entry in entries})


def _entry(name: str, language: Language, suites: dict[str, Suite]) -> Entry:
    manifest = FrameworkManifest(
        title=TITLES[name],
        package=f"pypi:{name}",
        homepage=f"https://{name}.example.org",
        source=f"https://code.example.org/{name}",
        interface="asgi" if name in VARIANTS else "native",
        server="gunicorn+uvicorn" if name in VARIANTS else None,
        status="unmaintained" if name == "starlette" else "maintained",
        suites={"hello": True, **({"issue-tracker": VARIANTS[name]} if name in VARIANTS else {})},
    )
    return Entry(name, language.folder / name, language, manifest, suites)


def made_board(oha: str | None = "1.12.0") -> Board:
    """A board with a failed cell, one that noise limited, one with a round left out, and the reference."""
    catalog = made_catalog()
    return build_board(catalog, [_result(entry, oha) for entry in catalog.entries.values()])


def machine(oha: str | None = "1.12.0") -> Machine:
    return Machine(
        machine_class="github-hosted-x86_64-4cpu",
        cpu_model="AMD EPYC 7763 64-Core Processor",
        cpus=4,
        app_cpus=(0, 1),
        load_cpus=(2, 3),
        pinned=True,
        memory_bytes=16 * 2**30,
        kernel="6.11.0-1018-azure",
        runner="ubuntu24",
        wrk="4.1.0",
        oha=oha,
        restbench="0.1.0",
        harness_hash="0123456789ab",
    )


def _result(entry: Entry, oha: str | None) -> EntryResult:
    run = Run(
        id="20261120-083000",
        started=WHEN,
        target="native",
        profile="quick",
        machine=machine(oha),
        version="0.139.0",
        files_hash="ba9876543210",
        size_bytes=48_200_000,
        released=date(2026, 9, 30),
        licence="MIT",
        packages=12,
        code_lines=123,
        build_seconds=8.5,
        idle_cpu_share=0.004,
        start_seconds=0.81,
        memory_start_bytes=71_000_000,
        memory_peak_bytes=93_400_000,
        memory_after_bytes=90_100_000,
    )
    cells = [_cell(entry.name, cell.suite, cell.scenario, cell.variant, oha) for cell in entry.cells(list(SCENARIOS))]
    return EntryResult(entry=entry.id, runs={run.id: run}, cells=cells)


def _cell(entry: str, suite: str, scenario: str, variant: str | None, oha: str | None) -> CellResult:
    cell = CellResult(run="20261120-083000", suite=suite, scenario=scenario, variant=variant)
    match entry, scenario, variant:
        case "fastapi", "create-task", "pydantic":
            check, _, rest = REASON.partition(": ")
            request, _, rest = rest.partition(": expected ")
            expected, _, got = rest.partition(", got ")
            return cell.model_copy(
                update={"failure": Failure(check=check, request=request, expected=expected, got=got)}
            )
        case "starlette", "userinfo", "raw":
            limits = [Limit.NOISE] * ROUNDS
        case "falcon", "sprint", "raw":
            limits = [Limit.APP] * (ROUNDS - 1) + [Limit.SOURCE]
        case _:
            limits = [Limit.APP] * ROUNDS
    random = Random(f"{entry} {scenario} {variant}")
    middle = SPEED[entry] / COST[scenario] / VARIANT_COST[variant]
    rounds = [_round(i, middle * random.gauss(1, 0.03), limit, oha) for i, limit in enumerate(limits)]
    return cell.model_copy(update={"rounds": rounds})


def _round(index: int, throughput: float, limit: Limit, oha: str | None) -> Round:
    half = throughput / 2
    mean = 64 / throughput * 1e3
    return Round(
        index=index,
        at=WHEN,
        requests=int(throughput),
        seconds=1.0,
        throughput=throughput,
        saturated=_latencies(mean),
        cpu_us_per_request=1.9e6 / throughput,
        app_cpu_share=0.97,
        load_cpu_share=0.41,
        contention=0.01,
        load_contention=0.01,
        probe_ms=2.6,
        memory_peak_bytes=93_400_000,
        fixed_rate=FixedRate(rate=half, achieved=half, latency=_latencies(mean / 5)) if oha else None,
        reference_throughput=98000.0,
        limit=limit,
        invalid=["others took 14 % of the app's CPUs"] if limit == Limit.NOISE else [],
    )


def _latencies(mean: float) -> Latencies:
    return Latencies(
        mean=mean, p50=mean * 0.95, p75=mean * 1.1, p90=mean * 1.5, p99=mean * 3, p999=mean * 6, max=mean * 9
    )


def long_table(rows: int, variants: int = 1) -> Table:
    """A table of that many ranked rows, with names as long as they come, best first."""
    return Table("create-task", "Create a task", "POST /task", [long_row(i, variants) for i in range(rows)])


def long_row(number: int, variants: int = 1) -> Row:
    median = 16000.0 * 0.97**number
    framework = number // variants
    return Row(
        entry=f"python/framework-{framework:03}",
        title=f"Some framework {framework:03}",
        language="Python",
        homepage="https://example.org",
        version="1.2.3",
        unmaintained=False,
        reference=False,
        variant=["raw", "msgspec", "dataclasses"][number % variants] if variants > 1 else None,
        measured=WHEN,
        rank=number + 1,
        throughput=Estimate(median, median * 0.98, median * 1.015, median, median * 0.01, ROUNDS),
        percent_of_best=100 * 0.97**number,
        limit=Limit.APP,
    )


def board_of(*tables: Table) -> Board:
    """A board of one section with just those tables."""
    facts = FactsRow(
        entry="python/a",
        title="A",
        language="Python",
        homepage="https://a.example.org",
        documentation="https://a.example.org/guide",
        source="https://code.example.org/a",
        version=None,
        interface="asgi",
        server=None,
        openapi=False,
        unmaintained=False,
        released=None,
        licence=None,
        packages=None,
        code_lines=None,
        build_seconds=None,
        start_seconds=None,
        idle_cpu_share=None,
        memory_start_bytes=None,
        memory_peak_bytes=None,
        memory_after_bytes=None,
        size_bytes=None,
    )
    suite = SuiteTables("issue-tracker", "Issue tracker", "A sprint board.", list(tables), [], [], [])
    setting = Setting("docker", "full", "lab")
    return Board([Section(setting, WHEN, WHEN, [machine()], [suite], [facts], None, ROUNDS)])
