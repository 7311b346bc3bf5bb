"""Setting restbench up: what goes wrong is said in a line with its remedy, and the next command goes on."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from tests.end_to_end.background import REPOSITORY
from tests.end_to_end.made import path_without, wait_until
from tests.made.programs import a_program

pytestmark = [pytest.mark.slow, pytest.mark.needs("make")]

MAKING = "making .venv: up to "
PYTHONS = ("python", "python3", *(f"python3.{minor}" for minor in range(11, 15)))


PARTS = (
    "Makefile",
    "README.md",
    "fixtures",
    "frameworks",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements.txt",
    "scripts",
)


class Checkout:
    """A copy of this checkout without what git ignores, so that restbench is not set up in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        unwanted = shutil.ignore_patterns("__pycache__", "node_modules", "target")
        for part in PARTS:
            source = REPOSITORY.root / part
            if source.is_dir():
                shutil.copytree(source, root / part, ignore=unwanted, symlinks=True)
            else:
                shutil.copy(source, root / part)

    def make(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Starts make in a session of its own, as a shell does with what a person types."""
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "RESTBENCH_"))}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            ["make", *words],
            cwd=self.root,
            env=outer | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )


@dataclass(frozen=True)
class Said:
    """How a command ended: its exit code, and the lines on standard error but for those of make itself."""

    code: int
    lines: list[str]


def ended(running: subprocess.Popen[str]) -> Said:
    _, said = running.communicate(timeout=300)
    return Said(running.returncode, [line for line in said.splitlines() if not line.startswith("make: ")])


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One in a folder with a space in its name, where an earlier set-up was interrupted before pip was in .venv."""
    made = Checkout(tmp_path_factory.mktemp("setup") / "a check out")
    subprocess.run(["python3", "-m", "venv", "--without-pip", made.root / ".venv"], check=True)
    return made


@pytest.fixture(scope="module")
def both(checkout: Checkout) -> list[Said]:
    """What two commands said that set up the same checkout at the same time."""
    return [ended(running) for running in [checkout.make("list"), checkout.make("list")]]


def test_a_second_set_up_waits_for_the_first_and_finds_all_done(both: list[Said]) -> None:
    assert [said.code for said in both] == [0, 0]
    first, second = sorted((said.lines for said in both), key=lambda lines: not lines[0].startswith(MAKING))
    assert first[0].startswith(MAKING)
    assert first[1:] == []
    assert second == ["another set-up is at work in this folder: waiting for it"]


def test_programs_of_the_renamed_environment_run(both: list[Said], checkout: Checkout) -> None:
    activated = '. .venv/bin/activate && echo "$VIRTUAL_ENV" && uv --version && pip --version && restbench --version'
    ran = subprocess.run(["bash", "-ec", activated], cwd=checkout.root, capture_output=True, text=True, check=True)
    environment, *versions = ran.stdout.splitlines()
    assert environment == str(checkout.root / ".venv")
    assert [version.split()[0] for version in versions] == ["uv", "pip", "restbench"]
    assert f"{checkout.root}/.venv/lib" in versions[1]


def test_a_set_up_checkout_is_left_alone(both: list[Said], checkout: Checkout) -> None:
    assert ended(checkout.make("list")) == Said(0, [])
    assert not (checkout.root / ".venv.new").exists()


def processes_of(checkout: Checkout) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cwd().startswith(str(checkout.root)) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def check_stopped(checkout: Checkout) -> None:
    wait_until(lambda: processes_of(checkout) == [], seconds=5)


def interrupt(running: subprocess.Popen[str], number: signal.Signals) -> None:
    """Ctrl-C of a terminal reaches all processes of the command, and SIGTERM those that the sender knows."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(running.pid, number) if number is signal.SIGINT else running.send_signal(number)


def check_interrupted(checkout: Checkout, running: subprocess.Popen[str]) -> None:
    """Nothing is left, and the environment is not half there."""
    said = ended(running)
    assert "Traceback" not in "\n".join(said.lines), said
    assert said.lines[-1] == "interrupted: the same command goes on, and what was downloaded is kept"
    assert list(checkout.root.glob(".venv*")) == []
    check_stopped(checkout)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_an_interruption_the_next_command_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    checkout = Checkout(tmp_path / "checkout")
    for step in ("pyvenv.cfg", "bin/pip", "bin/uv", "lib/*/site-packages/rich"):
        running = checkout.make("list")
        wait_until(lambda step=step: list(checkout.root.glob(f".venv.new/{step}")) != [])  # type: ignore[misc]
        interrupt(running, number)
        check_interrupted(checkout, running)
    assert ended(checkout.make("list")).code == 0


@pytest.mark.extended
@pytest.mark.random
@pytest.mark.timeout(7200)
@pytest.mark.needs("wrk", "python/falcon")
def test_set_up_is_interrupted(
    tmp_path: Path, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    """The next `make bench` reaches its plan, whenever set-up was interrupted."""
    words = ["bench", "FRAMEWORK=python/falcon", "SUITES=hello", "PROFILE=smoke", "TARGET=native", "INSTALL=0"]
    began = time.monotonic()
    assert ended(Checkout(tmp_path / "undisturbed").make("list")).code == 0
    seconds = time.monotonic() - began
    for repeat in range(request.config.getoption("--fault-repeats")):
        checkout, number = Checkout(tmp_path / str(repeat)), random.choice([signal.SIGINT, signal.SIGTERM])
        running, after = checkout.make(*words), random.uniform(0, seconds)
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(after)
        interrupt(running, number)
        ended(running)
        check_stopped(checkout)
        running = checkout.make(*words)
        assert running.stderr
        said = list(up_to("rounds, about", running.stderr))
        interrupt(running, signal.SIGINT)
        ended(running)
        assert "rounds, about" in said[-1], (number.name, after, said)
        record_property("fault", (f"set-up is interrupted by {number.name}", f"{after:.1f} of {seconds:.1f} s"))


def up_to(words: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines, the last of them is the first with those words."""
    for line in lines:
        yield line
        if words in line:
            return


def setup_says(checkout: Checkout, env: Mapping[str, str]) -> list[str]:
    """What `make list` says where it cannot set restbench up. Nothing is left of the environment then."""
    said = ended(checkout.make("list", "INSTALL=0", env=env))
    assert said.code == 2
    assert sorted(path.name for path in checkout.root.glob(".venv*")) == []
    return [line for line in said.lines if not line.startswith(MAKING)]


def failure(checkout: Checkout, env: Mapping[str, str]) -> str:
    """The line that says why no environment was made, without where the log is."""
    (line,) = setup_says(checkout, env)
    assert line.startswith("making .venv failed: ")
    assert line.endswith("; the log is .restbench/logs/setup.log")
    return line.removeprefix("making .venv failed: ").removesuffix("; the log is .restbench/logs/setup.log")


@pytest.fixture
def fresh(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


def pythons(tmp_path: Path, **bodies: str) -> dict[str, str]:
    """The environment of a machine that has no other Pythons than these shell scripts."""
    path = path_without(tmp_path / "bin", *PYTHONS)
    for name, body in bodies.items():
        a_program(Path(path, name.replace("_", ".")), body)
    return {"PATH": path, "HOME": str(tmp_path)}


OLD = 'case "$2" in *platform*) echo python3 is 3.10.13;; *) exit 1;; esac'
BARE = 'case "$2" in *ensurepip*) exit 1;; esac'


def test_python_is_looked_for_under_its_other_names(fresh: Checkout, tmp_path: Path) -> None:
    env = pythons(tmp_path, python3=OLD, python3_12='[ "$1" = -c ] || { echo this one is asked; exit 1; }')
    assert failure(fresh, env) == "this one is asked"


@pytest.mark.parametrize(("bodies", "found"), [({"python3": OLD}, "python3 is 3.10.13"), ({}, "there is no python3")])
def test_without_a_new_python_what_was_found_is_said_and_where_to_get_one(
    fresh: Checkout, tmp_path: Path, bodies: dict[str, str], found: str
) -> None:
    first, *remedies = setup_says(fresh, pythons(tmp_path, **bodies))
    assert first == f"Python 3.11 or newer is needed, and {found}. Install another one beside it:"
    assert [remedy.split(":")[0].strip() for remedy in remedies] == [
        "Debian 12, Ubuntu 24.04 and newer",
        "Ubuntu 22.04",
        "elsewhere",
    ]


@pytest.mark.parametrize(("name", "package"), [("python3", "python3-venv"), ("python3_13", "python3.13-venv")])
def test_a_python_without_venv_is_named_with_the_package_that_has_it(
    fresh: Checkout, tmp_path: Path, name: str, package: str
) -> None:
    python = name.replace("_", ".")
    env = pythons(tmp_path, **{name: BARE})
    assert setup_says(fresh, env) == [f"{python} has no venv: install it with: apt-get install {package}"]


@contextlib.contextmanager
def package_index(lists: str) -> Iterator[str]:
    """A package index on loopback that answers each request with a page, as the proxy of a hotel does.

    `lists`: a file that it lists, which is a page too.
    """

    class Index(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f'<html><body>Please log in <a href="/{lists}">{lists}</a></body></html>'.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def index_of(server: str, tmp_path: Path) -> dict[str, str]:
    """The environment in which pip asks that server alone, and has nothing yet."""
    return {
        "PIP_INDEX_URL": f"http://{server}/simple",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
    }


ANOTHER = "name another index in PIP_INDEX_URL and UV_DEFAULT_INDEX"


def test_no_network_is_said_in_a_line(fresh: Checkout, tmp_path: Path) -> None:
    said = failure(fresh, index_of("127.0.0.1:9", tmp_path))
    assert said == "127.0.0.1:9 does not answer: look at the network and at HTTPS_PROXY, and try again"


def test_a_proxy_that_answers_a_page_is_said_in_a_line(fresh: Checkout, tmp_path: Path) -> None:
    with package_index(lists="nothing") as server:
        said = failure(fresh, index_of(server, tmp_path))
    assert said.startswith(f"{server} does not have what requirements.txt locks: a proxy may answer in its place: ")
    assert said.endswith(ANOTHER)


def test_a_wrong_checksum_is_said_in_a_line(fresh: Checkout, tmp_path: Path) -> None:
    locked = (fresh.root / "requirements.txt").read_text().partition("\nuv==")[2].split()[0]
    with package_index(lists=f"uv-{locked}-py3-none-any.whl") as server:
        said = failure(fresh, index_of(server, tmp_path))
    assert said.startswith(f"what {server} sent has another checksum than in requirements.txt: ")
    assert said.endswith(ANOTHER)


def test_a_home_that_cannot_be_written_is_replaced(fresh: Checkout) -> None:
    assert ended(fresh.make("list", env={"HOME": "/nonexistent"})).code == 0
    assert (fresh.root / ".restbench/home/.cache/uv").is_dir()


def test_a_folder_whose_path_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / os.fsdecode(b"caf\xe9"))
    assert setup_says(checkout, {}) == ["the path of this folder is not in UTF-8, and uv takes no other: move it"]


@pytest.mark.needs("mount")
def test_a_disk_without_room_is_said_before_anything_is_made(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", disk], check=False).returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        checkout = Checkout(disk / "checkout")
        (said,) = setup_says(checkout, {})
        assert said.startswith(f"making .venv needs 265 MB, and {checkout.root} has ")
        with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        (said,) = setup_says(checkout, {})
        assert "MB free: make room" in said or "make room on the disk" in said
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
