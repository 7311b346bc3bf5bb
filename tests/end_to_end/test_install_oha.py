"""Installing oha: its release's program is taken where its sum is pinned, and what is wrong is said in a line."""

import contextlib
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from restbench.system.repository import find_repository
from tests.end_to_end.made import path_without, wait_until
from tests.made.programs import a_program

SCRIPTS = find_repository().root / "scripts"
VERSION = re.findall(r'^version = "(.*)"', (SCRIPTS / "oha.toml").read_text(), re.MULTILINE)[0]
PROGRAM = f"#!/bin/sh\necho oha {VERSION}\n".encode()
ASSET = {"x86_64": "oha-linux-amd64", "aarch64": "oha-linux-arm64"}.get(platform.machine(), "")
NOT_PINNED = f"oha {VERSION} is not downloaded: scripts/oha.toml has no SHA-256 of it for {platform.machine()}"

pytestmark = pytest.mark.skipif(not ASSET, reason=f"oha has no program for {platform.machine()}: use x86_64 or aarch64")


@dataclass
class Releases:
    """A server on loopback with the programs of a release. `length`: what it says of theirs, None for what is right.

    Where it `stalls`, it sends half of a program and then nothing until it is closed.
    """

    content: bytes = PROGRAM
    length: int | None = None
    stalls: bool = False
    asked: list[str] = field(default_factory=list)
    address: str = ""

    @contextlib.contextmanager
    def serving(self) -> Iterator["Releases"]:
        releases, closed = self, threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                releases.asked.append(self.path)
                self.send_response(200)
                self.send_header("content-length", str(releases.length or len(releases.content)))
                self.end_headers()
                half = len(releases.content) // 2
                self.wfile.write(releases.content[:half])
                if releases.stalls:
                    closed.wait()
                self.wfile.write(releases.content[half:])

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.address = f"http://127.0.0.1:{server.server_port}"
            yield self
            closed.set()
            server.shutdown()


@dataclass
class Machine:
    """A checkout on a machine without oha, and without a cargo that builds it."""

    root: Path

    def __post_init__(self) -> None:
        (self.root / "scripts").mkdir(parents=True)
        for name in ("install-oha", "oha.toml"):
            shutil.copy(SCRIPTS / name, self.root / "scripts" / name)
        self.pin("")
        self.path = path_without(self.root / "bin", "oha", "cargo")

    @property
    def oha(self) -> Path:
        return self.root / ".restbench/bin/oha"

    @property
    def pins(self) -> str:
        return (self.root / "scripts/oha.toml").read_text()

    def pin(self, sha256: str) -> None:
        pinned = re.sub(r'^(oha-linux-\w+ = )".*"', rf'\1"{sha256}"', self.pins, flags=re.MULTILINE)
        (self.root / "scripts/oha.toml").write_text(pinned)

    def start(self, releases: str, *words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, str(self.root / "scripts/install-oha"), *words]
        env = {"PATH": self.path, "HOME": str(self.root), "RESTBENCH_OHA_RELEASES": releases}
        return subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def install(self, releases: Releases, *words: str) -> tuple[int | None, list[str], list[str]]:
        """Returns the exit code, and the lines of standard output and of standard error."""
        ran = self.start(releases.address, *words)
        out, err = ran.communicate(timeout=60)
        assert list(self.root.rglob("*.part")) == []
        return ran.returncode, out.splitlines(), err.splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "checkout")


@pytest.fixture
def releases() -> Iterator[Releases]:
    with Releases().serving() as served:
        yield served


def test_the_pinned_program_is_installed_once(machine: Machine, releases: Releases) -> None:
    machine.pin(hashlib.sha256(PROGRAM).hexdigest())
    code, said, errors = machine.install(releases)
    assert (code, errors) == (0, [])
    url = f"{releases.address}/download/v{VERSION}/{ASSET}"
    assert said == [f"downloading {url} (about 20 MB)", f"oha {VERSION} is in {machine.oha}"]
    assert machine.oha.read_bytes() == PROGRAM
    assert os.access(machine.oha, os.X_OK)
    assert machine.install(releases) == (0, [f"oha {VERSION} is installed"], [])
    assert len(releases.asked) == 1


def test_what_is_not_pinned_is_never_downloaded(machine: Machine, releases: Releases) -> None:
    assert machine.install(releases, "--no-build") == (3, [], [])
    assert releases.asked == []


def test_an_oha_that_is_there_is_taken(machine: Machine, releases: Releases) -> None:
    machine.pin(hashlib.sha256(PROGRAM).hexdigest())
    a_program(Path(machine.path, "oha"), f"echo oha {VERSION}")
    assert machine.install(releases) == (0, [f"oha {VERSION} is installed"], [])
    a_program(Path(machine.path, "oha"), "echo oha 0.1.0")
    assert machine.install(releases)[0] == 0
    assert machine.oha.exists()


@pytest.mark.parametrize(
    ("content", "length", "said"),
    [
        (PROGRAM + b"# changed", None, f"{ASSET} is not installed, as its SHA-256 is "),
        (b"<html>Please log in</html>", None, "{url} is no program: a proxy may have answered in its place"),
        (PROGRAM, 1000, "{url} was cut short after "),
    ],
    ids=["another", "a page", "cut short"],
)
def test_what_is_not_the_pinned_program_is_not_installed(
    machine: Machine, releases: Releases, content: bytes, length: int | None, said: str
) -> None:
    machine.pin(hashlib.sha256(PROGRAM).hexdigest())
    releases.content, releases.length = content, length
    code, _, (error,) = machine.install(releases, "--no-build")
    assert code == 3
    assert error.startswith(said.format(url=f"{releases.address}/download/v{VERSION}/{ASSET}"))
    assert not machine.oha.exists()


def test_without_a_network_the_remedy_is_said(machine: Machine) -> None:
    machine.pin(hashlib.sha256(PROGRAM).hexdigest())
    code, _, (error,) = machine.install(Releases(address="http://127.0.0.1:9"), "--no-build")
    assert code == 3
    assert error.endswith("Connection refused>): look at the network and at HTTPS_PROXY")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_download_leaves_nothing(
    machine: Machine, releases: Releases, number: signal.Signals, code: int
) -> None:
    machine.pin(hashlib.sha256(PROGRAM).hexdigest())
    releases.stalls = True
    running = machine.start(releases.address)
    wait_until(lambda: releases.asked != [])
    running.send_signal(number)
    assert "Traceback" not in running.communicate(timeout=30)[1]
    assert running.returncode == code
    assert list(machine.oha.parent.iterdir()) == []
    releases.stalls = False
    assert machine.install(releases)[0] == 0


def test_cargo_builds_it_where_nothing_is_pinned_and_how_long_is_said_before(
    machine: Machine, releases: Releases
) -> None:
    a_program(Path(machine.path, "cargo"), "echo $*")
    code, (not_pinned, minutes, built), errors = machine.install(releases)
    assert (code, not_pinned, errors) == (0, NOT_PINNED, [])
    assert re.fullmatch(rf"building oha {VERSION} with cargo: about \d+ minutes?", minutes)
    assert built == f"install oha --version {VERSION} --locked"


def test_without_cargo_the_ways_to_get_oha_are_said(machine: Machine, releases: Releases) -> None:
    code, said, (error,) = machine.install(releases)
    assert (code, said) == (3, [NOT_PINNED])
    assert error.startswith("cargo is missing, which builds oha: install it by https://rustup.rs")


def test_pins_are_the_sums_of_what_the_release_has(machine: Machine, releases: Releases) -> None:
    assert machine.install(releases, "--pin")[0] == 0
    assert releases.asked == [f"/download/v{VERSION}/{name}" for name in ("oha-linux-amd64", "oha-linux-arm64")]
    assert machine.pins.count(hashlib.sha256(PROGRAM).hexdigest()) == 2
    assert machine.install(releases)[0] == 0
    releases.content = b"<html>"
    before = machine.pins
    assert machine.install(releases, "--pin")[0] == 3
    assert machine.pins == before
