"""Runs a command as on a machine that lacks some programs: `python -m tests.without oha docker -- COMMAND…`."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.end_to_end.made import path_without


def main() -> int:
    """Runs the command with a PATH of links to all other programs, and hides the programs that cargo and go installed.

    No program is required there, whatever REQUIRED_TOOLS says (tests/conftest.py). Returns the command's exit code.
    """
    split = sys.argv.index("--")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # a test runs programs as another user
        nowhere = dict.fromkeys(("CARGO_HOME", "GOPATH", "GOBIN"), f"{folder}/nothing")
        env = {
            **os.environ,
            **nowhere,
            "REQUIRED_TOOLS": "",
            "PATH": path_without(Path(folder) / "bin", *sys.argv[1:split]),
        }
        return subprocess.run(sys.argv[split + 1 :], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
