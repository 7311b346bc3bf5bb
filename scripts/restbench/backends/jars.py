"""Solr's jars and its launcher, packed by Maven once per version."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from restbench import processes
from restbench.errors import BackendError
from restbench.locking import one_at_a_time
from restbench.repository import Repository
from restbench.targets.interface import tail


def packed(repository: Repository, maven: Callable[[], str]) -> Path:
    """The folder with launcher.jar and lib/, made where it is not there yet. Raises BackendError.

    `maven` finds the program, which is only asked for where it is needed.
    """
    sources = repository.fixtures / "solr" / "launcher"
    folder = repository.state / "solr" / _digest(sources)
    with one_at_a_time(repository.state / "locks" / "solr"):
        if not folder.is_dir():
            _pack(maven(), sources, folder, repository)
    return folder


def _digest(sources: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(p for p in sources.rglob("*") if p.is_file()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _pack(maven: str, sources: Path, folder: Path, repository: Repository) -> None:
    """Beside its place and moved there, so that an interrupted run leaves no half."""
    log = repository.state / "logs" / "solr.build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        words = [maven, "--batch-mode", "-Dmaven.test.skip", f"-Dout={scratch}/out", "--file", str(sources / "pom.xml")]
        with log.open("wb") as out:
            ran = subprocess.run(
                [*words, "package"],
                env={**os.environ, "PATH": processes.search_path()},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if ran.returncode != 0:
            where = repository.relative(log)
            raise BackendError(f"the jars of Solr could not be fetched and packed; the log is {where}", tail(log, 10))
        shutil.move(Path(scratch) / "out", folder)
