"""The version of restbench."""

import subprocess
from pathlib import Path

from restbench import __version__


def version() -> str:
    """Returns the package's version, and the commit of its checkout where git knows it: "0.1.0 (1a2b3c4d5e)"."""
    argv = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    try:
        ran = subprocess.run(argv, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__} ({ran.stdout.strip()})"
