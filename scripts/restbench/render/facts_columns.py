"""The columns of the tables of entries, machines and profiles in README and report."""

from collections.abc import Sequence

from restbench.board.models import FactsRow, Section
from restbench.render.columns import language_column
from restbench.render.formats import MISSING, cpu_numbers, figure, gibibytes, megabytes, optional, tenths
from restbench.render.grid import Column, Grid, Text, make_grid
from restbench.render.labels import KINDS
from restbench.results.models import Machine
from restbench.targets.runtime_settings import in_words


def facts_grid(facts: Sequence[FactsRow], root: str | None = None) -> Grid:
    """The facts of each entry that do not depend on load, such as its version, licence and size.

    `root`: the address of the site's root, if names lead to pages of the site.
    """
    return _grid(_FACTS, facts, root)


def resources_grid(facts: Sequence[FactsRow], root: str | None = None) -> Grid:
    """The start time, idle CPU time and memory of each entry, whatever the scenario."""
    return _grid(_RESOURCES, facts, root)


def _grid(columns: Sequence[Column[FactsRow]], facts: Sequence[FactsRow], root: str | None) -> Grid:
    def framework(row: FactsRow) -> Text:
        page = row.entry.manifest.homepage if root is None else f"{root}framework/{row.entry.id}/"
        return Text(row.entry.title, page)

    names = [Column("framework", framework, required=True), *language_column(facts, lambda row: row)]
    return make_grid([*names, *columns], facts)


def _runtime(facts: FactsRow) -> Text:
    """The runtime, how it was built, and what it ran with."""
    details = "; ".join(filter(None, [facts.run.runtime_build, in_words(facts.run.runtime_settings)]))
    return Text(facts.run.runtime or MISSING, detail=f"({details})" if details else "")


_FACTS: list[Column[FactsRow]] = [
    Column("version", lambda f: f.run.version or MISSING),
    Column("released", lambda f: Text(optional(str, f.run.released), detail="(unmaintained)" * f.entry.unmaintained)),
    Column("licence", lambda f: f.run.licence or MISSING),
    Column("size, MB", lambda f: optional(megabytes, f.run.size_bytes), number=True),
    Column("packages", lambda f: optional(str, f.run.packages), number=True),
    Column("lines of the entry", lambda f: optional(str, f.run.code_lines), number=True),
    Column("runtime", _runtime),
    Column("server", lambda f: f.server),
    Column("interface", lambda f: f.entry.manifest.interface),
    Column("OpenAPI", lambda f: "from code" if f.entry.writes_openapi else MISSING),
    Column("headers, bytes", lambda f: optional(str, f.run.head_bytes), number=True),
    Column("Date header", lambda f: MISSING if f.run.dated is None else "yes" if f.run.dated else "no"),
    Column("build, s", lambda f: optional(tenths, f.run.build_seconds), number=True),
    Column("documentation", lambda f: Text("docs", f.entry.manifest.documentation[0])),
    Column("source", lambda f: Text(f.entry.id, f.entry.manifest.source)),
]

_RESOURCES: list[Column[FactsRow]] = [
    Column("start, s", lambda f: optional(figure, f.run.start_seconds), number=True),
    Column("idle CPU, %", lambda f: optional(lambda share: tenths(100 * share), f.run.idle_cpu_share), number=True),
    Column("memory after start, MB", lambda f: optional(megabytes, f.run.memory_start_bytes), number=True),
    Column("peak, MB", lambda f: optional(megabytes, f.run.memory_peak_bytes), number=True),
    Column("after load, MB", lambda f: optional(megabytes, f.run.memory_after_bytes), number=True),
]


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
    Column("kind", lambda m: KINDS.get(m.kind, m.kind) if m.kind else MISSING),
    Column("CPUs", lambda m: str(m.cpus), number=True),
    Column("CPU quota", lambda m: optional(figure, m.cpu_quota), number=True),
    Column("cores", lambda m: m.cpu_kind or MISSING),
    Column("CPU split", _split),
    Column("CPUs without a side", lambda m: m.unused_cpus or MISSING),
    Column("governor", lambda m: m.governor or MISSING),
    Column("memory", lambda m: gibibytes(m.memory_bytes), number=True),
    Column("kernel", lambda m: m.kernel),
    Column("runner image", lambda m: m.runner or MISSING),
    Column("Docker", lambda m: m.docker or MISSING),
    Column("load generators", lambda m: ", ".join(m.load_generators), required=True),
    Column("restbench", lambda m: f"{m.restbench} ({m.harness_hash}{'' if m.commit else ', no commit'})"),
]
