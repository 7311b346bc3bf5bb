"""Copies an entry under other names into a temporary tree: identical apps that are measured as different entries."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.system.repository import Repository
from restbench.targets.native import NativeRuntime

_TITLE = re.compile(r'^(title\s*=\s*)"(.*)"', re.MULTILINE)
_CODE_FROM = re.compile(r"^code_from\s*=.*\n", re.MULTILINE)

Edit = Callable[[Path], None]
"""A function that changes the files of a copy. Its argument is the folder of the copy."""


@contextmanager
def tree_of_copies(
    entry: Entry, repository: Repository, names: list[str], also: list[Entry], edit: Edit = lambda _folder: None
) -> Iterator[tuple[Repository, Catalog]]:
    """Yields a temporary repository and its catalogue, with a copy of the entry under each of the names.

    `also`: other entries of the same language, which are copied under their own names. `edit`: changes each copy of the
    entry. The original entries are built first if they are not built yet. The copies get the environments of the
    originals, because they are built from the same inputs. Raises BuildError when an original cannot be built.
    """
    with TemporaryDirectory(prefix="restbench-trust-") as folder:
        root = Path(folder)
        for shared in ("fixtures", "site"):
            (root / shared).symlink_to(repository.root / shared)
        language = root / "frameworks" / entry.language.name
        language.mkdir(parents=True)
        entries = {path.parent.name for path in entry.language.folder.glob("*/framework.toml")}
        for path in entry.language.folder.iterdir():
            if path.name not in entries:
                (language / path.name).symlink_to(path)
        for other in also:
            _copy(other, language / other.name)
        for name in names:
            _copy(entry, language / name)
            _rename(language / name / "framework.toml", name)
            edit(language / name)
        copied = Repository(root)
        catalog = load_catalog(copied).check()
        originals = dict.fromkeys(names, entry) | {other.name: other for other in also}
        _share_environments(repository, copied, originals, {e.name: e for e in catalog.entries.values()})
        yield copied, catalog


def _copy(entry: Entry, folder: Path) -> None:
    """Copies the entry. A copy has all of its code, also if the entry runs that of another."""
    for source in dict.fromkeys([entry.code_folder, entry.folder]):
        shutil.copytree(source, folder, dirs_exist_ok=True)
    manifest = folder / "framework.toml"
    manifest.write_text(_CODE_FROM.sub("", manifest.read_text()))


def _rename(manifest: Path, name: str) -> None:
    """Gives the copy its own title, because two entries must not have the same title."""
    manifest.write_text(_TITLE.sub(lambda found: f'{found[1]}"{found[2]} ({name})"', manifest.read_text(), count=1))


def _share_environments(
    repository: Repository, copied: Repository, originals: dict[str, Entry], copies: dict[str, Entry]
) -> None:
    """Builds the originals, and puts each environment where a build of its copy would put it."""
    here, there = NativeRuntime(repository), NativeRuntime(copied)
    for name, original in originals.items():
        here.build(original)
        source, target = here.environment(original), there.environment(copies[name])
        if source.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, target, symlinks=True, copy_function=_hard_link)


def _hard_link(source: str, target: str) -> None:
    """Links a file into a second place, or copies it where that is not possible, as between two file systems."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
