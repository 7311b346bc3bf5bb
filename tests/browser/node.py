"""Packages of npm that tests use. Users and the service need none of them."""

import subprocess
from functools import cache
from pathlib import Path

from filelock import FileLock

FOLDER = Path(__file__).resolve().parent
MODULES = FOLDER / "node_modules"


@cache
def installed() -> Path:
    """Installs the locked packages, unless they are there. Returns the folder that they are in.

    Tests of other processes wait meanwhile.
    """
    lock, mark = FOLDER / "package-lock.json", MODULES / ".installed"
    with FileLock(FOLDER / ".node_modules.lock"):
        if not mark.is_file() or mark.read_bytes() != lock.read_bytes():
            subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=FOLDER, check=True, timeout=300)
            mark.write_bytes(lock.read_bytes())
    return MODULES


@cache
def axe_source() -> str:
    return (installed() / "axe-core/axe.min.js").read_text()
