"""Which entries the newest commits touched. They are verified wherever the whole catalogue would take too long.

`python -m tests.touched natively` prints the names of those that run natively on one line, and on standard error those
that are not run, with the reason. `python -m tests.touched in-images` prints those that run in images.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from restbench.catalog import Catalog, load_catalog
from restbench.changes.touched import change_of
from restbench.system.repository import find_repository
from restbench.targets.docker import remote_of
from tests.needs import lacking

DAY = 24 * 3600
"""Seconds, and how far back commits count from the newest one. Earlier ones were tested when they came."""

MOST = 4
"""The most entries that are taken because commits touched them."""

OTHERS = 3
"""How many other languages have an entry that is taken. They take turns, by the day of the newest commit."""

_COMMIT = "commit "


@dataclass(frozen=True)
class Touched:
    """The entries to verify.

    `entries`: those that commits touched, last touched first, at most `MOST`. `others`: one entry of each of
    `OTHERS` other languages.
    `left_out` has those that commits touched too and that are not run, with the reason.
    """

    entries: list[str]
    others: list[str]
    left_out: dict[str, str]

    @property
    def natively(self) -> list[str]:
        """All, where they cannot run in images. Elsewhere what was not touched runs only as it is published."""
        return self.entries + (self.others if lacking("docker") else [])

    @property
    def in_images(self) -> list[str]:
        """The first entry of each language."""
        first: dict[str, str] = {}
        for name in self.entries + self.others:
            first.setdefault(name.partition("/")[0], name)
        return list(first.values())


def touched(root: Path, catalog: Catalog) -> Touched:
    """Reads the commits of a checkout. Who touched the shared files of a language touched all its entries."""
    taken: list[str] = []
    left_out: dict[str, str] = {}
    for name in dict.fromkeys(e.id for paths in commits(root) for e in change_of(paths, catalog).entries):
        server = remote_of(catalog.entries[name])
        if server and (unreachable := server.unreachable_reason()):
            left_out[name] = unreachable
        elif len(taken) < MOST:
            taken.append(name)
        else:
            left_out[name] = f"{MOST} entries were touched later"
    languages, others = {name.partition("/")[0] for name in taken}, []
    for entry in catalog.entries.values():
        if entry.language.name not in languages:
            languages.add(entry.language.name)
            others.append((catalog.baseline_of(entry) or entry).id)
    turn = OTHERS * (newest_commit(root) // DAY)
    here = [others[(turn + number) % len(others)] for number in range(min(OTHERS, len(others)))]
    return Touched(taken, here, {name: why for name, why in left_out.items() if name not in here})


def newest_commit(root: Path) -> int:
    """Returns when the newest commit was made, in seconds since 1970."""
    argv = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
    return int(subprocess.run(argv, capture_output=True, check=True).stdout)


def commits(root: Path) -> Iterator[list[str]]:
    """Yields the paths that each commit touched, the newest commit first. A merge touched all that it brought."""
    log = ["log", "--first-parent", "-m", "--name-only", "--no-renames", f"--format={_COMMIT}%ct"]
    argv = ["git", "-C", str(root), "-c", "core.quotePath=off", *log]
    ran = subprocess.run(argv, capture_output=True, errors="surrogateescape", check=True)
    newest: int | None = None
    for block in f"\n{ran.stdout}".split(f"\n{_COMMIT}")[1:]:
        date, *paths = block.splitlines()
        newest = int(date) if newest is None else newest
        if int(date) >= newest - DAY:
            yield [path for path in paths if path]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.touched", description=__doc__)
    parser.add_argument("where", choices=["natively", "in-images"])
    where, repository = parser.parse_args().where, find_repository()
    found = touched(repository.root, load_catalog(repository))
    if where == "in-images":
        print(*found.in_images)
        return
    for reason in dict.fromkeys(found.left_out.values()):
        names = [name for name, why in found.left_out.items() if why == reason]
        print(f"not run: {', '.join(names)}: {reason}", file=sys.stderr)
    print(*found.natively)


if __name__ == "__main__":
    main()
