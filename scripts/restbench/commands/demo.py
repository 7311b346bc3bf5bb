"""`restbench demo`: writes a made board, from which site and README can be rendered."""

from pathlib import Path

from restbench.demo.write import write_demo
from restbench.errors import UsageError
from restbench.system.repository import find_repository


def demo(folder: Path, entries: int, weeks: int, seed: int) -> int:
    """Writes a made repository to the folder. Returns 0. Raises UsageError where the folder is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty: name a folder that does not exist")
    write_demo(find_repository(), folder, entries, weeks, seed)
    print(
        f"{entries} made entries with {weeks} weeks. Look at them: RESTBENCH_ROOT={folder} restbench site {folder}/site"
    )
    return 0
