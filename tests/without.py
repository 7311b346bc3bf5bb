"""Runs a command as on a machine that lacks some programs: `python -m tests.without oha docker -- COMMAND…`.

Without names it is as on a minimal Debian, whose programs are listed in minimal_debian.txt.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.end_to_end.made import path_of

MINIMAL = Path(__file__).with_name("minimal_debian.txt")


def minimal_programs() -> set[str]:
    """Returns the names of the programs that every machine has, on which these tests run."""
    lines = MINIMAL.read_text().splitlines()
    return {name for line in lines if not line.startswith("#") for name in line.split()}


def main() -> int:
    """Runs the command with a PATH of links to the programs that are there, and hides what cargo and go installed.

    No program is required there, whatever REQUIRED_TOOLS says (tests/conftest.py). Returns the command's exit code.
    """
    split = sys.argv.index("--")
    hidden, minimal = sys.argv[1:split], minimal_programs()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # a test runs programs as another user
        programs = path_of(Path(folder) / "bin", lambda name: name not in hidden if hidden else name in minimal)
        nowhere = dict.fromkeys(("CARGO_HOME", "GOPATH", "GOBIN"), f"{folder}/nothing")
        env = {**os.environ, **nowhere, "REQUIRED_TOOLS": "", "PATH": programs}
        return subprocess.run(sys.argv[split + 1 :], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
