"""The part of the harness that every figure depends on."""

import hashlib
import os
from pathlib import Path

MEASURING = (
    "fixtures/",
    "frameworks/reference/",
    "requirements.txt",
    "scripts/install-oha",
    "scripts/restbench/backends/",
    "scripts/restbench/catalog/",
    "scripts/restbench/changes/causes.py",
    "scripts/restbench/changes/compare.py",
    "scripts/restbench/changes/evidence.py",
    "scripts/restbench/changes/new_entry.py",
    "scripts/restbench/changes/series.py",
    "scripts/restbench/conformance/",
    "scripts/restbench/containers/",
    "scripts/restbench/loadgen/",
    "scripts/restbench/measure/",
    "scripts/restbench/stats/",
    "scripts/restbench/system/",
    "scripts/restbench/targets/",
    "scripts/wrk/",
)
"""Paths from the root of the repository. Folders end in a slash. A change of them measures everything anew. The
workflow `benchmark` has the same list."""

CHECKOUT = Path(__file__).resolve().parents[3]
"""The checkout that this package is in."""

_NO_SOURCE = {"__pycache__", "node_modules"}


def is_measuring(path: str) -> bool:
    """Whether the file is of MEASURING. `path` is from the root of the repository."""
    return any(is_in(path, place) for place in MEASURING)


def is_in(path: str, place: str) -> bool:
    """Whether a file is at a place, which is a folder where it ends in a slash."""
    return path.startswith(place) if place.endswith("/") else path == place


def measuring_hash(root: Path = CHECKOUT) -> str:
    """Returns a short hash of the files of MEASURING. A figure may change because one of them changed."""
    digest = hashlib.sha256()
    for place in MEASURING:
        named = root / place
        files = sorted(path for path in named.rglob("*") if path.is_file()) if named.is_dir() else [named]
        for path in files:
            if path.is_file() and not _NO_SOURCE.intersection(path.parts):
                digest.update(os.fsencode(path.relative_to(root)) + b"\0")
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
