"""Makes a repository for a test, with small apps that fail as real apps do."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from restbench.system.processes import OWNER, environment
from restbench.system.repository import Repository, find_repository

GOOD = """\
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        found = self.path == "/hello_world"
        self.answer(200 if found else 404, b"Hello World" if found else b"")

    def do_DELETE(self):
        self.answer(405, b"")

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512  # with the usual 5, most of a load's connections would wait for a second and more

def serve():
    Server(("0.0.0.0", int(os.environ["PORT"])), Hello).serve_forever()

if __name__ == "__main__":
    serve()
"""

GET = "    def do_GET(self):\n"
LEAK = "        self.server.__dict__.setdefault('memory', []).append(bytearray(100_000))\n"
DEATH = LEAK.replace("100_000", "1") + "        len(self.server.memory) > 300 and os._exit(7)\n"

APPS = {
    "good": GOOD,
    "exits": 'import sys\nprint("no licence found", flush=True)\nsys.exit(3)\n',
    "hangs": 'import time\nprint("thinking", flush=True)\ntime.sleep(3600)\n',
    "leaks": GOOD.replace(GET, GET + LEAK),
    "dies": GOOD.replace(GET, GET + DEATH),
    "ignores-sigterm": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + GOOD,
    "listens-on-loopback": GOOD.replace('"0.0.0.0"', '"127.0.0.1"'),
    "wrong": GOOD.replace('b"Hello World"', 'b"Hello, World!"'),
}

BUILDS = {
    "unbuildable": "echo compiler says no; exit 2",
    "slow-to-build": "sleep 300; echo {env}",
}
"""App → the shell command that builds it."""

MANIFEST = """\
title = "{name}"
package = "pypi:none"
homepage = "https://example.org"
documentation = ["https://example.org"]
source = "https://example.org"
interface = "native"
suites = {{ hello = true }}
"""


def made_repository(root: Path, *apps: str) -> Repository:
    """Makes a repository with the language `test` and those apps, with the real fixtures and without the reference.

    An app of BUILDS gets a language of its own, which has that build command.
    """
    real = find_repository()
    shutil.copytree(real.fixtures, root / "fixtures")
    (root / "site").symlink_to(real.root / "site")
    for app in apps:
        language = app if app in BUILDS else "test"
        folder = root / "frameworks" / language / app
        folder.mkdir(parents=True)
        (folder / "framework.toml").write_text(MANIFEST.format(name=app))
        (folder / "app.py").write_text(APPS.get(app, GOOD))
        build = f"build = [{json.dumps(['sh', '-c', BUILDS[app]])}]\n" if app in BUILDS else ""
        start = f'start = ["{sys.executable}", "{{entry}}/app.py"]\n'
        folder.with_name("language.toml").write_text(
            f'title = "{language}"\nregistry = "pypi"\n[native]\n{build}{start}'
        )
    return Repository(root)


@dataclass(frozen=True)
class Ran:
    """A command that has ended: its exit code and what it printed.

    `err` is without the lines about what killed runs left behind. Tests that run at the same time kill harnesses, and
    the next command on this machine, whichever it is, removes what they leave.
    """

    code: int
    out: str
    err: str

    @property
    def has_measured(self) -> bool:
        """Whether a bench went to its end without a failure. Its rounds may be refused, as other tests use the CPUs."""
        return self.code == 0 or (self.code == 1 and "be measured: other programs used the CPUs" in self.out)


def restbench(
    repository: Repository,
    *words: str,
    env: Mapping[str, str] | None = None,
    timeout: float = 400,
    through: Sequence[str] = (),
) -> Ran:
    """Runs restbench with those arguments on a repository. `timeout`: in seconds. `through`: words before it."""
    with in_background(repository, *words, env=env, through=through) as running:
        try:
            out, err = running.communicate(timeout=timeout)
        except BaseException:
            running.send_signal(signal.SIGINT)  # so that it stops the processes that it started
            raise
    own = [line for line in err.splitlines(keepends=True) if not line.startswith("removed what an earlier run left")]
    return Ran(running.returncode, out, "".join(own))


def in_background(
    repository: Repository, *words: str, env: Mapping[str, str] | None = None, through: Sequence[str] = ()
) -> subprocess.Popen[str]:
    """Starts restbench with those arguments on a repository."""
    argv = [*through, sys.executable, "-m", "restbench", *words]
    full = command_environment(repository) | dict(env or {})
    return subprocess.Popen(argv, env=full, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def command_environment(repository: Repository) -> dict[str, str]:
    """Returns this environment for a restbench command, without the variable that marks the processes of a harness."""
    return {k: v for k, v in os.environ.items() if k != OWNER} | {"RESTBENCH_ROOT": str(repository.root)}


def path_without(folder: Path, *missing: str) -> str:
    """Fills the folder with links to all programs on PATH but the missing ones. Returns it as the new PATH."""
    return path_of(folder, lambda name: name not in missing)


def path_of(folder: Path, is_there: Callable[[str], bool]) -> str:
    """Fills the folder with links to the programs on PATH whose names are there. Returns it as the new PATH."""
    folder.mkdir()
    for directory in reversed(os.environ["PATH"].split(os.pathsep)):
        for program in Path(directory).glob("*") if Path(directory).is_dir() else []:
            link = folder / program.name
            if is_there(program.name):
                link.unlink(missing_ok=True)
                link.symlink_to(program)
    return str(folder)


def wait_until(true: Callable[[], bool], seconds: float = 180) -> None:
    """Waits until a condition is true. Fails the test when it is not true within that many seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


@contextmanager
def bystanders() -> Iterator[None]:
    """A process of another harness that lives, which is this one, and one of nobody: both live on."""
    mine = subprocess.Popen(["sleep", "7200"], env=environment({}))
    nobodys = subprocess.Popen(["sleep", "7200"], env={"PATH": os.environ["PATH"]})
    try:
        yield
        assert (mine.poll(), nobodys.poll()) == (None, None), "a process of somebody else was ended"
    finally:
        for process in (mine, nobodys):
            process.kill()
            process.wait()


def marked_processes(repository: Repository) -> list[psutil.Process]:
    """Returns the processes that a harness started for the apps of this repository."""
    found = []
    for process in psutil.process_iter():
        try:
            mine = any(str(repository.root) in word for word in process.cmdline()) and OWNER in process.environ()
        except psutil.Error:
            continue
        if mine and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found
