"""Records rounds as an app sees them, and reads the recordings.

A recording has what is seen up to a moment. In a checked round that is when the first wrong body comes, as an app knows
then in what kind of round it is. Each measured round is cut where one of the checked rounds is.
"""

import gzip
import json
import random
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from restbench.catalog import USUAL_SETUP, Cell, Entry, load_catalog
from restbench.catalog.profiles import find_profile
from restbench.conformance import Client, right_answers
from restbench.conformance.contracts import contract_of
from restbench.loadgen import OHA, WRK
from restbench.measure.round import LoadedCell, checked_round, solo_round
from restbench.measure.tools import Tools, app_settings, wait_ready
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets.native import NativeRuntime
from tests.contract.mutants_under_load import inodes, ports_by_inode, wrk

FILE = Path(__file__).with_name("rounds.json.gz")
SCENARIOS = ("hello_world", "userinfo", "create-task")
"""The fastest one, the one with most connections, and one with wrong bodies."""
SOLO_SECONDS = 0.35
BIN_SECONDS, QUANTILES, ALIKE = 0.01, 20, 8

MANIFEST = """
title = "Recorder"
package = "pypi:starlette"
homepage = "https://starlette.dev"
documentation = ["https://starlette.dev"]
source = "https://starlette.dev"
interface = "asgi"
start = ["python", "recorder.py"]
[suites]
hello = true
issue-tracker = ["raw"]
"""


@dataclass(frozen=True)
class Seen:
    """What an app sees of one connection until the moment.

    `accepted`: 0.1 ms after the first one of the round. `requests`: how many. `reaction`: the median microseconds from
    an answer to the next request. `alike`: how many ids have the same remainder as the one before. `is_read`: whether
    it is that of a reader, which the app does not see.
    """

    accepted: int
    requests: int
    reaction: int
    alike: int
    is_read: bool


@dataclass(frozen=True)
class Recording:
    """What an app sees of a round until the moment. `checked`: what it has to find out.

    `connections`: those that were open when the load began. `closed`: how many had been closed by then. `asked`: how
    many requests there were before the load. `waited`: milliseconds from the last connection to the first request.
    `seconds`: from the first request to the moment. `firsts`, `heads`, `lengths`: how many connections began with each
    kind of request, and requests had each set of header fields, and each length of a body. `ids`, `again`: how many ids
    there were, and how many came again. `gaps` and `reactions`: quantiles of the microseconds between the requests of a
    connection, and from an answer to the next request. `rates`: how many requests there were in each hundredth of a
    second. `ports`: the range of the connections' ports. `most_open`: connections.
    """

    checked: bool
    scenario: str
    connections: list[Seen]
    closed: int
    asked: int
    waited: float
    seconds: float
    firsts: dict[str, int]
    heads: list[int]
    lengths: dict[str, int]
    ids: int
    again: int
    gaps: list[int]
    reactions: list[int]
    rates: list[int]
    ports: tuple[int, int]
    most_open: int


@dataclass
class Edges:
    """A clock that notes when it was read: at the begin and at the end of a load, and which ports are readers' then."""

    port: int
    read_at: list[float]
    readers: set[int]

    def __call__(self) -> float:
        if not self.read_at:
            self.readers = self._ports_of_readers()
        self.read_at.append(time.monotonic())
        return self.read_at[-1]

    def _ports_of_readers(self) -> set[int]:
        """Returns the ports of the load generator that has the fewest connections, where there are several."""
        ports = ports_by_inode(self.port)
        processes = [int(each.name) for each in Path("/proc").glob("[0-9]*") if wrk(each)]
        of_each = [mine for process in processes if (mine := {ports[i] for i in inodes(process) if i in ports})]
        return min(of_each, key=len) if len(of_each) > 1 else set()


@contextmanager
def recorder(folder: Path, rng: random.Random) -> Iterator[tuple[Tools, dict[str, LoadedCell], Edges]]:
    """Yields what rounds of the recorder are taken with, and its cells by scenario."""
    right = load_catalog(find_repository()).entries["python/starlette"]
    runtime, edges = NativeRuntime(find_repository()), Edges(0, [], set())
    runtime.build(right)
    (folder / "framework.toml").write_text(MANIFEST)
    shutil.copy(Path(__file__).with_name("recorder.py"), folder)
    shutil.copy(right.folder / "requirements.txt", folder)
    profile = find_profile("smoke").model_copy(update={"solo_seconds": SOLO_SECONDS})
    tools = Tools(profile, this_machine(), WRK, OHA, rng, clock=edges)
    settings = app_settings(tools.cpus, USUAL_SETUP, None)
    cells = {cell.scenario: cell for cell in right.cells(["hello", "issue-tracker"]) if cell.scenario in SCENARIOS}
    with runtime.target(replace(right, folder=folder), settings) as target:
        wait_ready(target, right, cells["hello_world"], rng)
        edges.port = int(target.base_url.rpartition(":")[2])
        yield tools, {name: _loaded(right, cell, target, tools) for name, cell in cells.items()}, edges


def _loaded(entry: Entry, cell: Cell, target: Any, tools: Tools) -> LoadedCell:
    right = right_answers(target.base_url, entry, cell, tools.rng)
    fetches = tools.fetch_counter(target.base_url, contract_of(entry, cell), len(tools.cpus.app), tools.rng)
    return LoadedCell(entry, cell, target, right, fetches)


@dataclass(frozen=True)
class Raw:
    """What the recorder noted in a round. `began`, `ended`: the edges of its load. `readers`: ports."""

    scenario: str
    checked: bool
    accepted: list[Any]
    requests: list[Any]
    began: float
    ended: float
    readers: set[int]

    @property
    def load(self) -> list[Any]:
        return [each for each in self.requests if self.began <= each[0] <= self.ended]

    @property
    def seconds(self) -> float:
        """Until the first wrong body came, or until the end where none came."""
        end: float = min((each[0] for each in self.load if each[8]), default=self.ended)
        return end - float(self.load[0][0])


def record(folder: Path, number: int, scenarios: Sequence[str], rng: random.Random) -> list[Recording]:
    """Returns recordings of so many measured and so many checked rounds of each scenario, in a random order."""
    seen: list[Raw] = []
    with recorder(folder, rng) as (tools, apps, edges):
        wanted = [(name, checked) for name in scenarios for checked in number * [False, True]]
        rng.shuffle(wanted)
        for index, (name, checked) in enumerate(wanted):
            app = apps[name]
            _recorded(app)
            edges.read_at.clear()
            if checked:
                checked_round(tools, app)
            else:
                solo_round(tools, app, index)
            accepted, requests = _recorded(app)
            seen.append(Raw(name, checked, accepted, requests, edges.read_at[0], edges.read_at[1], edges.readers))
    moments = {name: [each.seconds for each in seen if each.checked and each.scenario == name] for name in scenarios}
    for each in moments.values():
        rng.shuffle(each)
    return [_reduced(each, each.seconds if each.checked else moments[each.scenario].pop()) for each in seen]


def _recorded(app: LoadedCell) -> Any:
    with Client(app.target.base_url) as client:
        return client.ask("GET", "/recorded").json()


def _reduced(raw: Raw, seconds: float) -> Recording:
    """Returns what is seen of a round in so many seconds from its first request."""
    start = raw.load[0][0]
    seen = [each for each in raw.load if each[0] < start + seconds]
    of: dict[int, list[Any]] = defaultdict(list)
    for each in seen:
        of[each[1]].append(each)
    came = {number: at for number, at, _ in raw.accepted}  # on a busy machine, some after the first request of another
    port_of = {number: port for number, _, port in raw.accepted}
    opened = min(came[number] for number in of)
    gaps = [1e6 * (b[0] - a[0]) for mine in of.values() for a, b in pairwise(mine)]
    reactions = [1e6 * (each[0] - each[5]) for each in seen if each[5]]
    ids = Counter(each[3] for each in seen if each[3])
    bins = Counter(int((each[0] - start) / BIN_SECONDS) for each in seen)
    ports = [port_of[number] for number in of]
    return Recording(
        checked=raw.checked,
        scenario=raw.scenario,
        connections=[
            Seen(
                accepted=round(1e4 * (came[number] - opened)),
                requests=len(mine),
                reaction=round(median([1e6 * (each[0] - each[5]) for each in mine if each[5]] or [0])),
                alike=sum(a[3] % ALIKE == b[3] % ALIKE for a, b in pairwise(mine)),
                is_read=port_of[number] in raw.readers,
            )
            for number, mine in sorted(of.items())
        ],
        closed=sum(at < start and number not in of for number, at in came.items()),
        asked=sum(each[0] < raw.began for each in raw.requests),
        waited=round(1e3 * (start - max(came[number] for number in of)), 1),
        seconds=round(seconds, 4),
        firsts=dict(Counter(mine[0][2] for mine in of.values())),
        heads=sorted(Counter(each[6] for each in seen).values()),
        lengths=dict(Counter(str(each[4]) for each in seen)),
        ids=len(ids),
        again=sum(count - 1 for count in ids.values()),
        gaps=_quantiles(gaps),
        reactions=_quantiles(reactions),
        rates=[bins[i] for i in range(max(bins) + 1)],
        ports=(min(ports), max(ports)),
        most_open=max(each[7] for each in seen),
    )


def _quantiles(figures: list[float]) -> list[int]:
    """Returns the smallest, the quantiles and the largest, or zeros where there are too few: on a busy machine a moment
    can be over before any connection asks a second time.
    """
    if len(figures) < 2:
        return [0] * (QUANTILES + 1)
    return [round(min(figures)), *map(round, quantiles(figures, n=QUANTILES)), round(max(figures))]


def write(recordings: Sequence[Recording]) -> None:
    rows = [asdict(each) | {"connections": [list(asdict(c).values()) for c in each.connections]} for each in recordings]
    text = "[" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "]\n"
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def read() -> list[Recording]:
    rows = json.loads(gzip.decompress(FILE.read_bytes()))
    return [
        Recording(**{**row, "ports": tuple(row["ports"]), "connections": [Seen(*c) for c in row["connections"]]})
        for row in rows
    ]
