"""Runs of real entries in a world without processes."""

from dataclasses import replace

from restbench.catalog import Catalog
from restbench.catalog.profiles import find_profile
from restbench.catalog.select import select_entries
from restbench.measure import Event, Outcome, Plan, run_board
from restbench.measure.events import Failed, Missing
from restbench.results.journal import Journal, Unfinished
from restbench.results.models import EntryResult
from restbench.targets.facts import Facts
from tests.made.records import MACHINE
from tests.unit.fakes import FakeBackend, FakeRuntime, World, fake_tools

QUICK = find_profile("quick")


def plan_of(
    catalog: Catalog, world: World, *, patterns: str = "python/falcon python/starlette", **changes: object
) -> Plan:
    runtime = FakeRuntime(world)
    plan = Plan(
        entries=select_entries(catalog, patterns.split()),
        reference=catalog.reference,
        baselines={"python": catalog.entries["python/falcon"]},
        suites=["hello"],
        tools=fake_tools(world, runtime, QUICK),
        runtime=runtime,
        machine=MACHINE,
        collect=lambda _entry: Facts(licence="MIT", packages=7),
        make_backend=lambda: FakeBackend(world),
        seed=1,
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


def without_repeats(plan: Plan) -> Plan:
    """The plan without repeats of rounds that do not count: the machine that runs the tests may be busy."""
    profile = plan.tools.profile.model_copy(update={"repeat_share": 0})
    return replace(plan, tools=replace(plan.tools, profile=profile))


def run(
    plan: Plan, journal: Journal, taken_up: Unfinished | None = None, results: list[EntryResult] | None = None
) -> tuple[Outcome, list[Event]]:
    events: list[Event] = []
    keep = ([] if results is None else results).append

    def note(event: Event) -> None:
        events.append(event)
        if isinstance(event, Failed | Missing):
            print(event)  # pytest shows it where a test fails

    return run_board(plan, journal, note, taken_up, keep), events
