"""The columns of the tables of entries, machines and profiles in README and report."""

from collections.abc import Sequence

from restbench.board.models import FactsRow, Section
from restbench.render.cells import language_column
from restbench.render.formats import MISSING, cpu_numbers, figure, gibibytes, megabytes, optional, tenths
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.results.models import Machine


def facts_grid(facts: Sequence[FactsRow]) -> Grid:
    """The facts of each entry that do not depend on load, such as its version, licence and size."""
    return make_grid([*_FACTS[:1], *language_column(facts, lambda f: f), *_FACTS[1:]], facts)


def resources_grid(facts: Sequence[FactsRow]) -> Grid:
    """The start time, idle CPU time and memory of each entry, whatever the scenario."""
    return make_grid([*_RESOURCES[:1], *language_column(facts, lambda f: f), *_RESOURCES[1:]], facts)


def _framework(facts: FactsRow) -> Text:
    return Text(facts.entry.title, facts.entry.manifest.homepage)


def _released(facts: FactsRow) -> Text:
    unmaintained = facts.entry.manifest.status == "unmaintained"
    return Text(optional(str, facts.run.released), detail="(unmaintained)" if unmaintained else "")


def _runtime(facts: FactsRow) -> Text:
    build = facts.run.runtime_build
    return Text(facts.run.runtime or MISSING, detail=f"({build})" if build else "")


_FACTS: list[Column[FactsRow]] = [
    Column("framework", _framework, required=True),
    Column("documentation", lambda f: Text("docs", f.entry.manifest.documentation or f.entry.manifest.homepage)),
    Column("source", lambda f: Text(f.entry.id, f.entry.manifest.source)),
    Column("version", lambda f: f.run.version or MISSING),
    Column("released", _released),
    Column("licence", lambda f: f.run.licence or MISSING),
    Column("runtime", _runtime),
    Column("interface", lambda f: f.entry.manifest.interface),
    Column("server", lambda f: f.server),
    Column("OpenAPI", lambda f: "from code" if f.entry.writes_openapi else MISSING),
    Column("packages", lambda f: optional(str, f.run.packages), number=True),
    Column("size, MB", lambda f: optional(megabytes, f.run.size_bytes), number=True),
    Column("build, s", lambda f: optional(tenths, f.run.build_seconds), number=True),
    Column("lines of the entry", lambda f: optional(str, f.run.code_lines), number=True),
]

_RESOURCES: list[Column[FactsRow]] = [
    Column("framework", _framework, required=True),
    Column("start, s", lambda f: optional(figure, f.run.start_seconds), number=True),
    Column("idle CPU, %", lambda f: optional(_percent_of_cpu, f.run.idle_cpu_share), number=True),
    Column("memory after start, MB", lambda f: optional(megabytes, f.run.memory_start_bytes), number=True),
    Column("peak, MB", lambda f: optional(megabytes, f.run.memory_peak_bytes), number=True),
    Column("after load, MB", lambda f: optional(megabytes, f.run.memory_after_bytes), number=True),
]


def _percent_of_cpu(share: float) -> str:
    return tenths(100 * share)


def machines_grid(section: Section) -> Grid:
    """The machines of a section. Machines that look the same in every column share one line."""
    grid = make_grid(_MACHINES, section.machines)
    lines = {tuple(line.cells): line for line in grid.lines}
    return Grid(grid.headers, grid.numbers, list(lines.values()))


def _split(machine: Machine) -> str:
    if not machine.pinned:
        return "nothing pinned"
    return f"app {cpu_numbers(machine.app_cpus)}; load generator {cpu_numbers(machine.load_cpus)}"


_MACHINES: list[Column[Machine]] = [
    Column("CPU", lambda m: m.cpu_model, required=True),
    Column("CPUs", lambda m: str(m.cpus), number=True),
    Column("CPU split", _split),
    Column("memory", lambda m: gibibytes(m.memory_bytes), number=True),
    Column("kernel", lambda m: m.kernel),
    Column("runner image", lambda m: m.runner or MISSING),
    Column("Docker", lambda m: m.docker or MISSING),
    Column("load generators", lambda m: ", ".join(m.load_generators), required=True),
    Column("restbench", lambda m: f"{m.restbench} ({m.harness_hash})"),
]
