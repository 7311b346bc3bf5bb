"""Entries whose packages Conan gets: the message where its remote, a conanfile or a lock is at fault."""

import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from restbench.catalog import load_catalog
from restbench.catalog.folders import NO_ENTRIES
from restbench.system.ports import free_port
from restbench.system.repository import Repository, find_repository
from restbench.targets.building import NOT_BUILT, UNREACHABLE
from restbench.targets.docker import remote_of
from tests.end_to_end.made import restbench

pytestmark = [pytest.mark.slow, pytest.mark.needs("cpp/crow")]

REAL = find_repository()
CONAN = [entry.id for entry in load_catalog(REAL).entries.values() if remote_of(entry)]
BUILD = ("build", "cpp/crow", "--target", "native")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One with only the entry cpp/crow. Nothing of it is built, and Conan has no packages yet."""
    language = REAL.frameworks / "cpp"
    others = [path.name for path in language.iterdir() if path.is_dir() and path.name not in (*NO_ENTRIES, "crow")]
    shutil.copytree(language, tmp_path / "frameworks/cpp", ignore=shutil.ignore_patterns(*others))
    manifest = tmp_path / "frameworks/cpp/language.toml"
    manifest.write_text(manifest.read_text().replace('baseline = "restinio"', ""))
    shutil.copytree(REAL.fixtures, tmp_path / "fixtures")
    return Repository(tmp_path)


@pytest.fixture(scope="module")
def broken_remote() -> Iterator[str]:
    """The NAME=URL of a server that answers 500."""

    class Broken(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(500)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Broken) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"mine=http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("command", ["build", "verify"])
def test_a_remote_out_of_reach_is_reported_in_one_line(repository: Repository, command: str) -> None:
    remote = f"mine=http://127.0.0.1:{free_port()}"
    ran = restbench(repository, command, "cpp/crow", "--target", "native", env={"CONAN_REMOTE": remote})
    url = remote.removeprefix("mine=")
    line = f"- cpp/crow: {UNREACHABLE}: Conan's remote mine at {url}: name another with CONAN_REMOTE=NAME=URL"
    assert [each for each in ran.out.splitlines() if NOT_BUILT in each] == [line if command == "build" else f"  {line}"]
    assert f"1 of 1 {NOT_BUILT if command == 'build' else 'not verified'}: cpp/crow" in ran.err
    assert ran.code == 3


def test_a_remote_that_answers_with_an_error_is_no_failure_of_the_entry(
    repository: Repository, broken_remote: str
) -> None:
    ran = restbench(repository, *BUILD, env={"CONAN_REMOTE": broken_remote})
    url = broken_remote.removeprefix("mine=")
    (line,) = ran.out.splitlines()
    assert line.startswith(f"- cpp/crow: {UNREACHABLE}: Conan's remote mine at {url} answers with an error: try again ")
    assert f"1 of 1 {NOT_BUILT}: cpp/crow" in ran.err
    assert ran.code == 3


MISTAKES = {
    "a range": ("conanfile.txt", "1.3.3", "[>=1.3]", "conanfile.txt has the range crowcpp-crow/[>=1.3]: write one "),
    "another version": ("conanfile.txt", "1.3.3", "1.3.2", "conan.lock does not fit conanfile.txt: run make lock "),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_an_entry_is_named_in_one_line(repository: Repository, broken_remote: str, mistake: str) -> None:
    file, right, wrong, says = MISTAKES[mistake]
    path = repository.frameworks / "cpp/crow" / file
    path.write_text(path.read_text().replace(right, wrong))
    ran = restbench(repository, *BUILD, env={"CONAN_REMOTE": broken_remote})
    (line,) = ran.out.splitlines()
    assert line.startswith(f"✗ cpp/crow: {says}")
    assert ran.code == 1


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("entry", CONAN)
def test_an_entry_is_built_unless_the_remote_is_out_of_reach(
    entry: str, record_property: Callable[[str, object], None]
) -> None:
    ran = restbench(REAL, "build", entry, "--target", "native", timeout=1700)
    if ran.code == 3 and NOT_BUILT in ran.out:
        pytest.skip(ran.out.strip().removeprefix("- "))
    assert ran.code == 0, ran.out
