"""Prints what the Python of a running app runs with: `python runtime_settings.py <PID of the app>`.

It has the app's environment. Another process of the same interpreter, with the app's own options, is asked.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ASKED = """
import asyncio, json, sys
def word(value): return "on" if value else "off"
print(json.dumps({
    "dev mode": word(sys.flags.dev_mode),
    "assertions": word(__debug__),
    "asyncio debug": word(asyncio.coroutines._is_debug_mode()),
    "GIL": word(getattr(sys, "_is_gil_enabled", lambda: True)()),
}))
"""

DEBUGGING = {"--debug", "--dev", "--reload"}
"""Options with which servers watch files, or answer with tracebacks."""


def options(words: list[str]) -> list[str]:
    """Returns the interpreter's own options of a command line: those before the script or module."""
    found: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-") or word in ("-c", "-m", "-"):
            break
        found.append(word)
        if word in ("-X", "-W"):
            found.append(next(rest, ""))
    return found


if __name__ == "__main__":
    words = Path(f"/proc/{sys.argv[1]}/cmdline").read_bytes().decode().rstrip("\0").split("\0")
    printed = subprocess.run(
        [words[0], *options(words), "-c", ASKED], capture_output=True, encoding="utf-8", check=True
    ).stdout
    variables = {
        name for name, text in os.environ.items() if name.endswith("_DEBUG") and text not in ("", "0", "false")
    }
    debugging = ", ".join(sorted(variables | DEBUGGING.intersection(words)))
    print(json.dumps({**json.loads(printed), "server's debug": debugging[:80] or "off"}))
