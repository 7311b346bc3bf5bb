"""What makes the CPUs of a machine unlike: kinds of cores, and NUMA nodes.

An app is slower on an efficiency core, and where its load comes from another node. So all sides get cores of one kind
and one node, where there are enough of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

ALIKE = 0.85
"""Cores of one kind have at least this share of the capacity and the highest frequency of its fastest core.

The favoured cores of a processor are 2 to 7 % faster than its other cores, and efficiency cores 20 to 50 % slower.
"""

_PMU = {"P-cores": "cpu_core", "E-cores": "cpu_atom"}
"""The kinds of cores of Intel's hybrid processors, the fastest first, and the PMUs that count their events."""

Core = tuple[int, ...]
"""The CPUs of a physical core that may be used, the lowest first."""


@dataclass(frozen=True)
class _Speed:
    """How fast a core is, as far as the kernel says so: by its kind, its capacity of at most 1024, and its GHz."""

    family: str
    capacity: int
    ghz: float

    def is_like(self, fastest: "_Speed") -> bool:
        known = [(self.capacity, fastest.capacity), (self.ghz, fastest.ghz)]
        return self.family == fastest.family and all(own >= ALIKE * most for own, most in known if own and most)

    @property
    def rank(self) -> tuple[float, ...]:
        """The larger, the faster."""
        families = list(_PMU)
        family = families.index(self.family) if self.family in families else len(families)
        return -family, self.capacity, self.ghz


@dataclass(frozen=True)
class Choice:
    """The cores for the sides. `kind`: their kind, where the machine has others.

    `left_out`: which cores get no side, as they are unlike. `unlike`: which cores differ from others that have a side.
    """

    cores: list[Core]
    kind: str | None = None
    left_out: str | None = None
    unlike: str | None = None


def choose_cores(cores: Sequence[Core], root: Path = Path("/")) -> Choice:
    """Returns the cores of the fastest kind that has two or more on one node: those of the node that has most of them.

    Where there is no such kind, it returns all cores, the fastest last, because the app gets the last ones.
    """
    speeds, nodes = _speeds(root, cores), _nodes(root)
    names = _names(speeds.values())
    places = {core: (speeds[core[0]], nodes.get(core[0], 0)) for core in cores}
    groups: dict[tuple[_Speed, int], list[Core]] = {}
    for core, place in places.items():
        groups.setdefault(place, []).append(core)
    ordered = sorted(groups, key=lambda place: (*place[0].rank, len(groups[place]), -place[1]), reverse=True)
    best = next((place for place in ordered if len(groups[place]) > 1), None)
    used = [best] if best else ordered
    kinds = list(dict.fromkeys(names[speed] for speed, _ in used))
    nodes_differ = len({node for _, node in groups}) > 1
    described = {
        (speed, node): _described(same, names[speed], node if nodes_differ else None)
        for (speed, node), same in groups.items()
    }
    kind = " and ".join(kinds) if len(names) > 1 else None
    if best:
        left = "; ".join(described[place] for place in ordered if place != best)
        return Choice(groups[best], kind, left_out=f"left out, as they are unlike: {left}" if left else None)
    unlike = f"no two cores are alike: {'; '.join(described.values())}" if len(groups) > 1 else None
    return Choice(sorted(cores, key=lambda core: speeds[core[0]].rank), kind, unlike=unlike)


def cpus_in(text: str) -> set[int]:
    """Returns the numbers of a list of the kernel: "0-3,8"."""
    ends = (part.partition("-") for part in text.strip().split(",") if part)
    return {cpu for first, _, last in ends for cpu in range(int(first), int(last or first) + 1)}


def read_word(file: Path) -> str:
    """Returns the text of a file of the kernel, empty where it is not there or may not be read."""
    try:
        return file.read_text(encoding="utf-8").strip("\0\n ")
    except (OSError, ValueError):
        return ""


def _described(cores: Iterable[Core], kind: str, node: int | None) -> str:
    cpus = sorted(cpu for core in cores for cpu in core)
    ranges = [[cpu for _, cpu in run] for _, run in groupby(enumerate(cpus), lambda each: each[1] - each[0])]
    numbers = ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in ranges)
    return f"CPU {numbers} ({', '.join(filter(None, [kind, '' if node is None else f'node {node}']))})"


def _speeds(root: Path, cores: Iterable[Core]) -> dict[int, _Speed]:
    """Returns the speed of each CPU that is online, as that of the fastest one of its kind."""
    system = root / "sys/devices/system/cpu"
    lists = {name: cpus_in(read_word(root / "sys/devices" / pmu / "cpus")) for name, pmu in _PMU.items()}
    families = {cpu: name for name, cpus in lists.items() for cpu in cpus}

    def speed(cpu: int) -> _Speed:
        folder = system / f"cpu{cpu}"
        capacity, khz = (read_word(folder / name) for name in ("cpu_capacity", "cpufreq/cpuinfo_max_freq"))
        return _Speed(families.get(cpu, ""), int(capacity or 0), int(khz or 0) / 1e6)

    every = cpus_in(read_word(system / "online")) | {cpu for core in cores for cpu in core}
    found = {cpu: speed(cpu) for cpu in sorted(every)}
    kinds: list[_Speed] = []
    for each in sorted(set(found.values()), key=lambda each: each.rank, reverse=True):
        if not any(map(each.is_like, kinds)):
            kinds.append(each)
    return {cpu: next(filter(each.is_like, kinds)) for cpu, each in found.items()}


def _names(speeds: Iterable[_Speed]) -> Mapping[_Speed, str]:
    """Returns the name of each kind: that of Intel, else by what differs."""
    kinds = list(dict.fromkeys(speeds))
    by_capacity = len({kind.capacity for kind in kinds}) == len(kinds)

    def name(kind: _Speed) -> str:
        ghz = f"{kind.ghz:.1f} GHz" if kind.ghz else ""
        if kind.family:
            alone = sum(other.family == kind.family for other in kinds) == 1
            return kind.family if alone else f"{kind.family} of {ghz or f'capacity {kind.capacity}'}"
        return f"capacity {kind.capacity}" if by_capacity and kind.capacity else ghz or "other cores"

    return {kind: name(kind) for kind in kinds} if len(kinds) > 1 else dict.fromkeys(kinds, "")


def _nodes(root: Path) -> dict[int, int]:
    """Returns the NUMA node of each CPU, none where the kernel does not say so."""
    folders = (root / "sys/devices/system/node").glob("node[0-9]*")
    return {cpu: int(each.name[4:]) for each in folders for cpu in cpus_in(read_word(each / "cpulist"))}
