"""Copies an entry under other names into a temporary tree: apps that differ only in what a test changes."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.system.repository import Repository
from restbench.targets.native import NativeRuntime

_TITLE = re.compile(r'^(title\s*=\s*)"(.*)"', re.MULTILINE)

Edit = Callable[[Path], None]
"""A function that changes the files of a copy. Its argument is the folder of the copy."""


@contextmanager
def tree_of_copies(
    entry: Entry, repository: Repository, edits: Mapping[str, Edit]
) -> Iterator[tuple[Repository, Catalog]]:
    """Yields a temporary repository with the entry and a copy of it under each of the names, and its catalogue.

    `edits`: the name of a copy → what changes it. The entry runs its own code, and is built first if it is not built
    yet. The copies get its environment, because they are built from the same inputs. Raises BuildError when it cannot
    be built.
    """
    with TemporaryDirectory(prefix="restbench-trust-") as folder:
        root = Path(folder)
        for shared in ("fixtures", "site"):
            (root / shared).symlink_to(repository.root / shared)
        language = root / "frameworks" / entry.language.name
        language.mkdir(parents=True)
        entries = {path.parent.name for path in entry.language.folder.glob("*/framework.toml")}
        for path in entry.language.folder.iterdir():
            if path.name not in entries or path.name == entry.name:
                (language / path.name).symlink_to(path)
        for name, edit in edits.items():
            shutil.copytree(entry.folder, language / name)
            # two entries must not have the same title
            manifest = language / name / "framework.toml"
            manifest.write_text(_TITLE.sub(rf'\g<1>"\g<2> ({name})"', manifest.read_text(), count=1))
            edit(language / name)
        copied = Repository(root)
        catalog = load_catalog(copied).check()
        original, copies = NativeRuntime(repository), NativeRuntime(copied)
        original.build(entry)
        for copy in catalog.entries.values():
            source, target = original.environment(entry), copies.environment(copy)
            if source.is_dir():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copytree(source, target, symlinks=True, copy_function=_hard_link)
        yield copied, catalog


def _hard_link(source: str, target: str) -> None:
    """Links a file into a second place, or copies it where that is not possible, as between two file systems."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
