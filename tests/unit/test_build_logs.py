"""Why a build failed, from its log."""

from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.errors import UnreachableError
from restbench.system.repository import find_repository
from restbench.targets.build_logs import NOT_BUILT, failure

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


def test_a_compiler_that_names_a_server_does_not_make_it_unreachable(log: Path) -> None:
    log.write_text("restbench: unreachable: an older attempt\n" + "line\n" * 100 + "main.cpp:1: error\n")
    assert not isinstance(failure(ENTRY, "the build failed", log), UnreachableError)
