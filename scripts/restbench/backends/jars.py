"""Solr's jars and its launcher. Maven packs them once for each version of fixtures/solr/launcher."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from restbench.errors import BackendError
from restbench.system import processes
from restbench.system.files import tail
from restbench.system.locking import one_at_a_time
from restbench.system.repository import Repository

PACK_SECONDS = 1200.0


def packed(repository: Repository) -> Path:
    """Returns the folder with launcher.jar and lib/. Maven makes it when it is missing. Raises BackendError."""
    folder = _folder(repository)
    with one_at_a_time(repository.state / "locks" / "solr"):
        if not folder.is_dir():
            _pack(folder, repository)
    return folder


def are_packed(repository: Repository) -> bool:
    """Returns whether the folder is there, so that Maven is not needed."""
    return _folder(repository).is_dir()


def _sources(repository: Repository) -> Path:
    return repository.fixtures / "solr" / "launcher"


def _folder(repository: Repository) -> Path:
    digest = hashlib.sha256()
    for path in sorted(p for p in _sources(repository).rglob("*") if p.is_file()):
        digest.update(path.read_bytes())
    return repository.state / "solr" / digest.hexdigest()[:12]


def _pack(folder: Path, repository: Repository) -> None:
    """Packs into a temporary folder and moves the result to `folder`, so that `folder` is never incomplete."""
    log = repository.state / "logs" / "solr.build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        pom = _sources(repository) / "pom.xml"
        argv = ["mvn", "--batch-mode", "-Dmaven.test.skip", f"-Dout={scratch}/out", "--file", str(pom)]
        env = {**os.environ, "PATH": processes.search_path()}
        with log.open("wb") as out:
            try:
                code = processes.run_logged([*argv, "package"], env=env, cwd=None, log=out, timeout=PACK_SECONDS)
            except TimeoutError as error:
                raise BackendError(f"Solr's jars were not packed within {PACK_SECONDS / 60:.0f} minutes") from error
        if code != 0:
            where = repository.relative(log)
            raise BackendError(f"the jars of Solr could not be fetched and packed; the log is {where}", tail(log, 10))
        shutil.move(Path(scratch) / "out", folder)
