"""Writes a made board with a history of years, to try the site: `python -m tests.made FOLDER`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tests.made.history import write_history


def main(
    folder: Annotated[Path, typer.Argument(help="the folder to write to, which must not exist yet")],
    entries: Annotated[int, typer.Option(help="number of made frameworks", min=3)] = 40,
    weeks: Annotated[int, typer.Option(help="number of weekly runs", min=2)] = 260,
) -> None:
    """Writes a made repository to the folder, unless it has files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        sys.exit(f"{folder} is not empty: name a folder that does not exist")
    write_history(folder, entries, weeks)
    print(f"Look at it: RESTBENCH_ROOT={folder} restbench site {folder}/site")


if __name__ == "__main__":
    typer.run(main)
