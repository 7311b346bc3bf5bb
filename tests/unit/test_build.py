"""Builds show what is going on, and why they failed."""

import threading
from pathlib import Path

import pytest
from rich.console import Console

from restbench.catalog import Entry, load_catalog
from restbench.commands import build
from restbench.commands.selection import Selection
from restbench.errors import BuildError, FullDiskError, MachineError, UnreachableError
from restbench.system.repository import Repository, find_repository
from restbench.targets import Build
from restbench.targets.building import FULL_DISK, TRY_AGAIN, UNREACHABLE, failure
from tests.made.boards import made_catalog
from tests.unit.fakes import FakeRuntime, World


class HeldRuntime(FakeRuntime):
    """Builds Falcon when it is let go, and the others at once."""

    def __init__(self) -> None:
        super().__init__(World())
        self.let_go = threading.Event()

    def build(self, entry: Entry) -> Build:
        if entry.name == "starlette":
            raise BuildError("the compiler says no")
        if entry.name == "falcon":
            assert self.let_go.wait(20)
        return super().build(entry)


def selection(runtime: FakeRuntime) -> Selection:
    catalog = made_catalog()
    return Selection(Repository(Path()), catalog, catalog.ranked, [], runtime, mistakes=[])


def test_a_build_that_takes_long_is_named_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(build, "_SOON_SECONDS", 0.0)
    runtime = HeldRuntime()
    made = build.side_by_side(selection(runtime), Console(force_terminal=False))
    first = {next(made)[0].id for _ in range(2)}
    assert first == {"python/fastapi", "python/starlette"}
    threading.Timer(0.3, runtime.let_go.set).start()
    assert [entry.id for entry, _ in made] == ["python/falcon"]
    output = capsys.readouterr().err
    assert output.splitlines().count("building python/falcon") == 1


def test_each_entry_comes_with_what_became_of_it() -> None:
    runtime = HeldRuntime()
    runtime.let_go.set()
    made = {entry.id: what for entry, what in build.side_by_side(selection(runtime), Console(force_terminal=False))}
    assert isinstance(made.pop("python/starlette"), BuildError)
    assert {type(what) for what in made.values()} == {Build}


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


@pytest.mark.parametrize("text", [DOCKER, DOCKER.splitlines()[2].partition(" 3.262 ")[2]])
def test_a_server_out_of_reach_is_no_fault_of_the_entry(log: Path, text: str) -> None:
    log.write_text(text)
    error = failure(ENTRY, "the image could not be built", log)
    assert isinstance(error, UnreachableError)
    assert error.message == f"cpp/restinio: {UNREACHABLE}: Conan's remote mine at http://10.0.0.1: name another"


NO_VERSION = "Could not find a version that satisfies the requirement a==4 (from versions: none)"
"""What pip says of an index that answers 429."""

OUT_OF_REACH = {
    "uv": """\
error: Request failed after 3 retries in 7.4s
  cause: Failed to fetch: https://py.example.org/simple/falcon/
  cause: client error (Connect)
  cause: dns error
""",
    "pip": f"""\
#9 1.505 Looking in indexes: http://p.example.org/simple
#9 1.517 ERROR: {NO_VERSION}
#9 1.517 ERROR: No matching distribution found for a==4
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
        ("pip", f"http://p.example.org ({NO_VERSION})"),
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
    assert error.message == f"cpp/restinio: {UNREACHABLE}: {server}: {TRY_AGAIN}"


def test_a_compiler_that_names_a_server_does_not_make_it_unreachable(log: Path) -> None:
    log.write_text("restbench: unreachable: an older attempt\n" + "line\n" * 100 + "main.cpp:1: error\n")
    assert not isinstance(failure(ENTRY, "the build failed", log), UnreachableError)


ANSWERS = {
    "uv": "  cause: HTTP status client error (429 Too Many Requests) for url (https://py.example.org/simple/falcon/)",
    "uv 5xx": "  cause: HTTP status server error (503 Service Unavailable) for url (https://py.example.org/simple/a/)",
    "pip": "ERROR: HTTP error 502 while getting https://py.example.org/packages/a.whl",
    "npm": "npm error code E429\nnpm error 429 Too Many Requests - GET https://npm.example.org/fastify",
    "npm 5xx": "npm error code E503\nnpm error 503 Service Unavailable - GET https://npm.example.org/fastify",
    "cargo": "  failed to get successful HTTP response from `https://crates.example.org/a` (1.2.3.4), got 503\n",
    "go": "main.go:2:8: reading https://go.example.org/gin/@v/list: 500 Internal Server Error",
    "maven": "[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://mvn.example.org/maven2): "
    "status code: 429, reason phrase: Too Many Requests (429)",
    "nuget": "error NU1301: Failed to retrieve https://nuget.example.org/v3/index.json\n"
    "  Response status code does not indicate success: 503 (Service Unavailable).",
    "composer": 'The "https://php.example.org/packages.json" file could not be downloaded (HTTP/2 429 )',
    "apt-get": "E: Failed to fetch http://deb.example.org/debian/a.deb  503  Service Unavailable [IP: 10.0.0.1 80]",
    "docker": "ERROR: failed to solve: python:3.13-slim: failed to resolve source metadata for docker.io/library: "
    "unexpected status from HEAD request to https://hub.example.org/v2/python/manifests/3: 429 Too Many Requests",
    "docker limit": "toomanyrequests: You have reached your pull rate limit. https://hub.example.org/increase-rate-limit",
    "docker token": "failed to authorize: failed to fetch anonymous token: unexpected status from GET request to "
    "https://auth.example.org/token?scope=x: 401 Unauthorized",
    "git": "fatal: unable to access 'https://git.example.org/a.git/': The requested URL returned error: 503",
    "curl": "curl: (22) The requested URL returned error: 504\nhttps://files.example.org/a.tgz",
    "slow": 'Get "https://hub.example.org/v2/": net/http: TLS handshake timeout',
    "cut off": "error: RPC failed; curl 18 transfer closed\nfatal: early EOF\nhttps://git.example.org/a.git",
    "proxy": "ProxyError: https://py.example.org: Tunnel connection failed: 407 Proxy Authentication Required",
}
"""Who says it → its words where a server refuses everybody or is out of order."""


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_a_server_that_is_out_of_order_is_no_fault_of_the_entry(log: Path, text: str) -> None:
    log.write_text(f"much\n{text}\n")
    error = failure(ENTRY, "the build failed", log)
    assert isinstance(error, UnreachableError), error.message
    assert ".example.org" in error.message


FULL = {
    "uv": "error: Failed to install: a.whl\n  cause: No space left on device (os error 28)",
    "npm": "npm error code ENOSPC\nnpm error nospc There appears to be insufficient space on your system to finish.",
    "gcc": "ccX.s: fatal error: error writing to ccX.s: No space left on device",
    "docker": "ERROR: failed to solve: failed to register layer: write /usr/lib/a: no space left on device",
    "quota": "cp: error writing 'a': Disk quota exceeded",
    "nuget": "error : There is not enough space on the disk. : '/root/.nuget/packages/a'",
}


OUT_OF_ORDER = {
    "stopped engine": "ERROR: Cannot connect to the Docker daemon at unix:///run/docker.sock. Is it running?",
    "plug-in": "ERROR: BuildKit is enabled but the buildx component is missing or broken.",
    "killed gcc": "g++: fatal error: Killed signal terminated program cc1plus",
    "rustc": "error: could not compile `a` (bin): process didn't exit successfully: rustc (signal: 9, SIGKILL: kill)",
    "memory": "OpenJDK 64-Bit Server VM warning: os::commit_memory failed; error='Cannot allocate memory' (errno=12)",
    "files": "error: failed to open a.rs: Too many open files (os error 24)",
}

KEPT_FROM_BUILDING = {
    **{name: (text, FullDiskError, FULL_DISK) for name, text in FULL.items()},
    **{name: (text, MachineError, text) for name, text in OUT_OF_ORDER.items()},
}


@pytest.mark.parametrize(("text", "kind", "reason"), KEPT_FROM_BUILDING.values(), ids=KEPT_FROM_BUILDING)
def test_what_a_machine_lacks_is_no_fault_of_the_entry(
    log: Path, text: str, kind: type[MachineError], reason: str
) -> None:
    log.write_text(f"much\n{text}\nmake: *** [all] Error 1\n")
    error = failure(ENTRY, "the build failed", log)
    assert isinstance(error, kind)
    assert error.message == f"cpp/restinio: not built: {reason}"


OWN = [
    "main.rs:7: error: no variant StatusCode::SERVICE_UNAVAILABLE_503",
    "error: package `a` has no version 429.0",
    "ERROR: No matching distribution found for no-such-package==1.0 (https://py.example.org/simple)",
    "npm error 404 Not Found - GET https://npm.example.org/no-such-package",
    "app.py:503: SyntaxError: invalid syntax",
    'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
    "pull access denied for no-such-image, repository does not exist or may require authorization",
    "error[E0432]: unresolved import `a`",
    "test_app.c:500: error: expected ';'",
    "ERROR: Could not find a version that satisfies the requirement a==9 (from versions: 1.0, 2.0)",
]


@pytest.mark.parametrize("text", OWN)
def test_what_is_the_entrys_own_fault_is_a_failure(log: Path, text: str) -> None:
    log.write_text(f"Downloading https://files.example.org/a.tgz\n{text}\n")
    error = failure(ENTRY, "the build failed", log)
    assert isinstance(error, BuildError), text
    assert not isinstance(error, UnreachableError)
