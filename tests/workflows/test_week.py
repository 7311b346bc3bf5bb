"""A bad week of the service: what the board says at its end. No entry is blamed for a machine, and nothing is lost."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from restbench.results.files import read_folder
from restbench.results.history import read_history
from restbench.results.models import CellResult, EntryResult
from tests.unit.fake_github import FakeGitHub
from tests.unit.repositories import files_of, git
from tests.workflows.runner import MARKS, REPOSITORY, Ran, Service

pytestmark = MARKS

# These tests do not change Falcon, because other tests use its image
GOOD, REFUSED, FULL, LYING = (f"python/{name}" for name in ("falcon", "starlette", "bottle", "muffin"))
ALL = (GOOD, REFUSED, FULL, LYING)

NO_ROOM = """
FROM dependencies AS full
RUN dd if=/dev/zero of=/dev/full bs=64k count=1
"""

LIE = r"""
      - if: matrix.job.name == 'python-muffin'
        shell: python3 {0}
        run: |
          from pathlib import Path
          path = Path("out/results/python/muffin.json")
          keys = ["x" * 2500, r"a\n::error title=forged::x"]
          more = "".join(f'"{key}": 1, ' for key in keys)
          path.write_text(path.read_text().replace('"suite"', f'{more}"suite"', 1))
"""


class Registry(BaseHTTPRequestHandler):
    """A package index that refuses everybody."""

    def do_GET(self) -> None:
        self.send_error(429, "Too Many Requests")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def registry() -> Iterator[str]:
    """Its address, as builds see it."""
    shown = subprocess.run(["ip", "-4", "-o", "addr", "show", "docker0"], capture_output=True, text=True, check=False)
    if shown.returncode != 0:
        pytest.skip("builds have no bridge by which they could ask a server of this machine")
    address = shown.stdout.split()[3].partition("/")[0]
    with ThreadingHTTPServer((address, 0), Registry) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{address}:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with TemporaryDirectory(prefix="restbench-week-") as folder:
        yield Service(Path(folder))


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub(1, 1, "0" * 40, REPOSITORY) as server, server.running():
        yield server


def lines_of(service: Service) -> Counter[str]:
    """How many lines of history each entry has on the board's branch."""
    text = git(service.remote, "show", f"main:results/history/{newest_month(service)}")
    path = service.remote.parent / "history.jsonl"
    path.write_text(text)
    return Counter(line.entry for line in read_history(path).entries)


def newest_month(service: Service) -> str:
    return max(Path(name).name for name in files_of(service.remote, "main") if name.startswith("results/history/"))


def cut(path: Path) -> None:
    """A month of the last year, of which the end is missing."""
    newest = max(path.parent.glob("*.jsonl")).read_text().splitlines()
    path.write_text("\n".join([*newest[:2], newest[2][:60]]))


@pytest.fixture(scope="module")
def before(service: Service) -> Counter[str]:
    """The lines of history that there are before the week."""
    return lines_of(service)


@pytest.fixture(scope="module")
def week(service: Service, github: FakeGitHub, registry: str, before: Counter[str]) -> Ran:
    """A run in which four things go wrong. The entries have published figures already."""
    lock = service.clone / f"frameworks/{REFUSED}/requirements.txt"
    host = registry.removeprefix("http://")
    lock.write_text(f"--index-url {registry}/simple\n--trusted-host {host}\n{lock.read_text()}")
    dockerfile = (service.clone / "frameworks/python/Dockerfile").read_text()
    first_stage, last, rest = dockerfile.rpartition("\nFROM ")
    text = first_stage + NO_ROOM + (last + rest).replace("--from=dependencies", "--from=full")
    (service.clone / f"frameworks/{FULL}/Dockerfile").write_text(text)
    workflow = service.clone / ".github/workflows/benchmark.yml"
    steps, place, upload = workflow.read_text().partition("      - if: always()\n")  # uploads the results
    assert place
    workflow.write_text(f"{steps}{LIE.lstrip(chr(10))}{place}{upload}")
    cut(service.clone / "results/history/2025-11.jsonl")
    service.commit("A bad week")
    git(service.clone, "push", "--quiet", "origin", "main")
    inputs = {"frameworks": " ".join(ALL), "suites": "hello", "profile": "full"}
    event = {"inputs": inputs, "ref": "refs/heads/main"}
    ran = service.run("benchmark", "workflow_dispatch", event, token="any", GITHUB_API_URL=github.url)  # noqa: S106
    (service.remote.parent / "log-week.txt").write_text(ran.log)
    return ran


@pytest.fixture(scope="module")
def results(service: Service, week: Ran) -> dict[str, EntryResult]:
    git(service.clone, "pull", "--quiet", "origin", "main")
    return read_folder(service.clone / "results/latest")


def in_image(result: EntryResult) -> CellResult:
    """The one cell of the suite, as it was measured in an image."""
    (cell,) = (c for c in result.cells if c.suite == "hello" and result.runs[c.run].target == "docker")
    return cell


def test_what_could_be_measured_is_published(
    service: Service, before: Counter[str], results: dict[str, EntryResult]
) -> None:
    after = lines_of(service)
    assert [after[entry] - before[entry] for entry in ALL] == [1, 0, 0, 0]
    good = results[GOOD]
    assert good.runs[in_image(good).run].profile == "full"
    assert in_image(good).missed is None


@pytest.mark.parametrize(
    ("entry", "reason"),
    [(REFUSED, "not built: remote unreachable: http://"), (FULL, "not built: the disk is full: make room")],
)
def test_who_could_not_be_built_keeps_its_figures_with_the_reason(
    service: Service, results: dict[str, EntryResult], entry: str, reason: str
) -> None:
    cell = in_image(results[entry])
    assert (cell.failure, cell.not_run) == (None, None)
    assert cell.solo.count
    assert cell.missed
    assert reason in cell.missed.reason
    page = (service.clone / "results/hello.md").read_text()
    assert reason in page
    assert "stale, measured on" in page


def test_the_lying_artifact_affects_only_its_own_entry(week: Ran, results: dict[str, EntryResult]) -> None:
    missed = results[LYING].missed
    assert missed
    assert missed.reason.startswith("its result is refused: is not a result: cells.0.xxx")
    assert len(missed.reason) <= 500
    # the log also shows the step that made the artifact lie
    assert [line for line in week.log.splitlines() if line.partition("| ")[2].startswith("::error title=forged")] == []


def test_the_cut_month_is_reported_once_and_kept_as_it_is(service: Service, week: Ran) -> None:
    message = "results/history/2025-11.jsonl: line 3 is not a whole line of history: restore the file from git"
    assert message in week.log
    assert files_of(service.remote, "main").count("results/history/2025-11.jsonl") == 1


def test_the_site_and_the_report_are_there(service: Service, week: Ran) -> None:
    assert "gh-pages is at" in week.log
    assert "no entry became slower by 5 % or more, and no issue is open" in week.log
    assert REFUSED in git(service.remote, "show", "gh-pages:framework/index.html")


def test_no_entry_has_failed(results: dict[str, EntryResult]) -> None:
    assert [in_image(results[entry]).failure for entry in ALL] == [None] * len(ALL)
