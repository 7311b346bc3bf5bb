"""Packages of npm that tests use. Users and the service need none of them."""

import subprocess
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


@cache
def installed() -> Path:
    """Installs the locked packages once. Returns the folder that they are in."""
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=FOLDER, check=True, timeout=300)
    return FOLDER / "node_modules"


@cache
def axe_source() -> str:
    return (installed() / "axe-core/axe.min.js").read_text()
