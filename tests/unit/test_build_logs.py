"""Why a build failed, from its log."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.errors import UnreachableError
from restbench.system.repository import find_repository
from restbench.targets.build_logs import NOT_BUILT, TRY_AGAIN, failure

ENTRY = load_catalog(find_repository()).entries["cpp/restinio"]

DOCKER = """\
#14 [build 9/9] RUN /language/build /language/crow /env /tmp/cache /conan/bin/conan
#14 3.104 ERROR: Package 'crowcpp-crow/1.3.3' not resolved
#14 3.262 restbench: unreachable: Conan's remote mine at http://10.0.0.1: name another
#14 ERROR: process "/bin/sh -c /language/build" did not complete successfully: exit code: 1
------
 > [build 9/9] RUN /language/build /language/crow /env /tmp/cache /conan/bin/conan:
3.262 restbench: unreachable: Conan's remote mine at http://10.0.0.1: name another
------
Dockerfile:42
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "build.log"


def test_the_last_lines_are_shown_where_the_build_does_not_know_the_reason(log: Path) -> None:
    log.write_text("main.cpp:1: error: expected ';'\n")
    error = failure(ENTRY, "the build failed with code 1", log)
    assert error.message == "cpp/restinio: the build failed with code 1"
    assert error.detail == "main.cpp:1: error: expected ';'"


def test_a_reason_takes_the_place_of_the_log(log: Path) -> None:
    log.write_text("much\nrestbench: conanfile.txt has the range a/[>1]: write one version\n")
    error = failure(ENTRY, "the build failed with code 1", log)
    assert error.message == "cpp/restinio: conanfile.txt has the range a/[>1]: write one version"
    assert error.detail == ""
    assert not isinstance(error, UnreachableError)


@pytest.mark.parametrize("said", [DOCKER, DOCKER.splitlines()[2].partition(" 3.262 ")[2]])
def test_a_server_out_of_reach_is_no_fault_of_the_entry(log: Path, said: str) -> None:
    log.write_text(said)
    error = failure(ENTRY, "the image could not be built", log)
    assert isinstance(error, UnreachableError)
    assert error.message == f"cpp/restinio: {NOT_BUILT}: Conan's remote mine at http://10.0.0.1: name another"


OUT_OF_REACH = {
    "uv": """\
error: Request failed after 3 retries in 7.4s
  cause: Failed to fetch: https://py.example.org/simple/falcon/
  cause: client error (Connect)
  cause: dns error
""",
    "go": """\
main.go:2:8: example.org/gin@v1.0.0: Get "https://go.example.org/gin/@v/v1.0.0.zip": dial tcp: network is unreachable
""",
    "cargo": """\
  failed to download from `https://crates.example.org/config.json`

Caused by:
  [6] Could not resolve hostname (Could not resolve host: crates.example.org)
""",
    "npm": """\
npm error code EAI_AGAIN
npm error request to https://npm.example.org/fastify failed, reason: getaddrinfo EAI_AGAIN npm.example.org
""",
    "maven": """\
\x1b[31m[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://mvn.example.org/maven2): Unknown host
""",
    "composer": """\
#15 1.061   Failed to clone https://php.example.org/core.git via https, ssh protocols, aborting.
#15 1.062   - https://php.example.org/core.git
#15 1.062     fatal: unable to access 'https://php.example.org/core.git/': Could not resolve host: php.example.org
#15 1.062   - git@php.example.org:core.git
#15 1.062     error: cannot run ssh: No such file or directory
""",
    "apt-get": """\
#9 12.1 E: Failed to fetch http://deb.example.org/debian/a.deb  Temporary failure resolving 'deb.example.org'
""",
}
"""Package manager → the end of what it prints."""


@pytest.mark.parametrize(
    ("manager", "server"),
    [
        ("uv", "https://py.example.org (dns error)"),
        ("go", "https://go.example.org (network is unreachable)"),
        ("cargo", "https://crates.example.org (Could not resolve host)"),
        ("npm", "https://npm.example.org (EAI_AGAIN)"),
        ("maven", "https://mvn.example.org (Unknown host)"),
        ("composer", "https://php.example.org (Could not resolve host)"),
        ("apt-get", "http://deb.example.org (Temporary failure resolving)"),
    ],
)
def test_what_package_managers_say_of_a_server_out_of_reach_is_recognised(log: Path, manager: str, server: str) -> None:
    log.write_text("much\n" + OUT_OF_REACH[manager])
    error = failure(ENTRY, "the build failed", log)
    assert isinstance(error, UnreachableError)
    assert error.message == f"cpp/restinio: {NOT_BUILT}: {server}: {TRY_AGAIN}"


def test_a_compiler_that_names_a_server_does_not_make_it_unreachable(log: Path) -> None:
    log.write_text("restbench: unreachable: an older attempt\n" + "line\n" * 100 + "main.cpp:1: error\n")
    assert not isinstance(failure(ENTRY, "the build failed", log), UnreachableError)
