"""`restbench demo`: writes a made board, from which site and README can be rendered."""

from pathlib import Path
from typing import Annotated

import typer

from restbench.demo.write import write_demo
from restbench.errors import UsageError
from restbench.system.repository import find_repository


def demo(
    folder: Annotated[Path, typer.Argument(help="the folder to write to, which must not exist yet")],
    entries: Annotated[int, typer.Option(help="number of made frameworks", min=3)] = 40,
    weeks: Annotated[int, typer.Option(help="number of weekly runs", min=2)] = 260,
    seed: Annotated[int, typer.Option(help="random seed")] = 1,
) -> None:
    """Writes a made repository to the folder. Raises UsageError where the folder is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty: name a folder that does not exist")
    write_demo(find_repository(), folder, entries, weeks, seed)
    print(
        f"{entries} made entries with {weeks} weeks. Look at them: RESTBENCH_ROOT={folder} restbench site {folder}/site"
    )
