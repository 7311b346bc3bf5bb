"""Starts an entry as its framework.toml says: `python serve.py <folder of the entry> <folder of its code>`.

Natively both are the same folder, unless the entry runs the code of another. The same file runs natively and in the
image, so that both start an app with the same command.
"""

import os
import sys
import tomllib
from pathlib import Path

LANGUAGE = Path(__file__).parent.resolve()


def command(entry: Path) -> list[str]:
    framework = tomllib.loads((entry / "framework.toml").read_text())
    language = tomllib.loads((LANGUAGE / "language.toml").read_text())
    server = framework.get("server")
    template = framework.get("start") or language["servers"].get(server)
    if template is None:
        known = ", ".join(language["servers"])
        print(f"{entry}/framework.toml: server = {server!r} is none of: {known}", file=sys.stderr)
        sys.exit(2)
    values = {
        "app": framework.get("app", ""),
        "port": os.environ.get("PORT", "8080"),
        "workers": os.environ.get("WORKERS", "1"),
        "concurrency": language["concurrency"].get(server),
    }
    return [part.format(**values) for part in template]


if __name__ == "__main__":
    entry, code = (Path(folder).resolve() for folder in sys.argv[1:])
    program, *arguments = command(entry)
    os.environ["PYTHONPATH"] = str(LANGUAGE)  # where `from shared.source import …` is found
    os.chdir(code)
    # Links are not followed: the python of a virtual environment is a link into a folder that has none of its servers.
    server = Path(sys.executable).parent / program
    os.execv(server, [str(server), *arguments])  # noqa: S606 - this process becomes the server, and gets its signals
