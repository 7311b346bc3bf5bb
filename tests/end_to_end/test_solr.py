"""Solr and the cache in front of it: the real ones."""

import os
import re
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

import httpx
import psutil
import pytest

from restbench.backends import Backend, Outage, made_up, make_backend
from restbench.backends.solr import read_documents
from restbench.catalog.profiles import find_profile
from restbench.errors import BackendError
from restbench.results.files import read_folder
from restbench.system.repository import Repository, find_repository
from restbench.targets import toolchains
from tests.end_to_end.made import Ran, in_background, restbench, wait_until
from tests.made.programs import a_program

pytestmark = pytest.mark.slow

REPOSITORY = find_repository()
LOST = "Solr was ended by signal 9"
"""Why a round is refused in which Solr was killed."""


@pytest.fixture(scope="module")
def solr() -> Iterator[Backend]:
    with make_backend("solr", "native", REPOSITORY, cpus=None) as backend:
        yield backend


def asked(backend: Backend) -> httpx.Response:
    return httpx.get(backend.front + backend.query, timeout=5, trust_env=False)


def numbers_of(text: str) -> list[int]:
    """The numbers in an answer. Its element is the name of the last child."""
    return [int(found) for found in re.findall(r"par([1-9][0-9]{9})\b", text)]


OTHER_ADDRESSES: list[Callable[[str], str]] = [
    lambda query: query.replace("rows=100", "rows=1&start=99"),
    lambda query: query.replace("rows=100", "rows=0"),
    lambda query: query.replace("rows=100", "rows=100&rows=0"),
    lambda query: query.replace("fl=", "fl=id%2C"),
    lambda query: f"{query}&wt=json",
    lambda query: query.replace("%2A%3A%2A", "id%3Aregistry-100"),
    lambda query: query.replace("/select", "/select/"),
]
"""Changes of the right address. Some give an answer that has the last document, and is smaller."""


@pytest.mark.needs("solr")
class TestTheBackend:
    def test_it_answers_with_all_documents_children_nested(self, solr: Backend) -> None:
        documents = asked(solr).json()["response"]["docs"]
        number = documents[99]["child_objects"][9]["name"][-10:]
        documents[99]["child_objects"][9]["name"] = "Quartz Crossing of Willow Market, parcel 774924"
        assert number.isdigit()
        assert documents == read_documents(REPOSITORY.fixtures)
        assert solr.unavailable_reason() is None
        assert solr.versions().startswith("Solr 9.")

    def test_documents_of_some_types_are_made_up_and_most_of_them_are_broken(self, solr: Backend) -> None:
        before = solr.requests()
        for each in made_up():
            query = re.sub(r"(document_type(?::|%3A))1\b", rf"\g<1>{each.document_type}", solr.query)
            answer = httpx.get(solr.front + query, timeout=5, trust_env=False)
            assert answer.status_code == 200
            assert answer.headers["content-type"] == asked(solr).headers["content-type"]
            assert answer.json()["response"]["docs"] == each.documents
            assert "x-varnish" not in answer.headers
        assert solr.requests() == before + len(made_up()), "only those for documents of Solr are counted"
        assert [each.broken is None for each in made_up()] == [True] + 11 * [False]
        assert made_up()[3].broken == 'child_objects[1].number is "many" in place of 101'

    def test_both_together_take_less_than_900_megabytes(self, solr: Backend) -> None:
        assert 100e6 < solr.resources().memory_bytes < 900e6

    def test_every_request_at_the_cache_is_counted(self, solr: Backend) -> None:
        before, all_before = solr.requests(), solr.requests(numbered=False)
        for _ in range(7):
            assert asked(solr).status_code == 200
        assert solr.requests() - before == 7
        assert solr.requests(numbered=False) - all_before == 7

    def test_a_request_that_brings_no_documents_does_not_count(self, solr: Backend) -> None:
        before, all_before = solr.requests(), solr.requests(numbered=False)
        other = [change_of(solr.query) for change_of in OTHER_ADDRESSES]
        for path in ["/number", "/", *other]:
            answer = httpx.get(solr.front + path, trust_env=False)
            assert not numbers_of(answer.text), path
        assert not numbers_of(str(httpx.head(solr.front + solr.query, trust_env=False).headers))
        assert not numbers_of(httpx.post(solr.front + solr.query, trust_env=False).text)
        part = httpx.get(solr.front + solr.query, headers={"Range": "bytes=-100"}, trust_env=False)
        assert part.status_code == 200
        assert len(part.content) > 170_000
        assert solr.requests() - before == 1, "the whole answer to the request for a part counts"
        assert solr.requests(numbered=False) - all_before == len(other) + 5

    def test_a_client_may_write_the_request_as_it_likes(self, solr: Backend) -> None:
        address, _, query = solr.query.partition("?")
        pairs = parse_qsl(query)
        for path in (
            f"{address}?{urlencode(pairs[::-1])}",
            f"{address}?{urlencode(pairs, quote_via=quote)}",
            f"{address}?{urlencode(pairs, quote_via=quote, safe='*:[],=')}",
            f"{address}?{urlencode(pairs).replace('%2C', '%2c').replace('%5B', '%5b')}",
        ):
            assert numbers_of(httpx.get(solr.front + path, trust_env=False).text), path

    def test_each_answer_has_a_number_that_the_cache_gave_for_it(self, solr: Backend) -> None:
        seen = set()
        with httpx.Client(trust_env=False) as client, ThreadPoolExecutor(8) as pool:

            def number() -> tuple[float, int, float]:
                began = time.time()
                (found,) = numbers_of(client.get(solr.front + solr.query).text)
                return began, found, time.time()

            answers = [each.result() for each in [pool.submit(number) for _ in range(400)]]
        for began, found, ended in answers:
            seen.add(found)
            assert solr.numbers.is_given(found, began, ended)
            assert not solr.numbers.is_given(found, began - 1, began - 0.2)
            assert not solr.numbers.is_given(found, ended + 0.2, ended + 1)
        assert len(seen) == len(answers)

    def test_an_answer_comes_from_the_cache_in_chunks_as_from_solr(self, solr: Backend) -> None:
        asked(solr)
        for answer in (asked(solr), httpx.get(solr.source + solr.query, trust_env=False)):
            assert answer.headers["transfer-encoding"] == "chunked"
            assert "content-encoding" not in answer.headers
        assert int(asked(solr).headers["age"]) >= 0
        assert "x-varnish" not in asked(solr).headers, "it tells what the number is made of"

    @pytest.mark.parametrize("outage", Outage)
    def test_an_outage_is_one_and_passes(self, solr: Backend, outage: Outage) -> None:
        with solr.outage(outage):
            if outage == Outage.ERROR:
                assert asked(solr).status_code == 503
            else:
                with pytest.raises(httpx.ReadTimeout if outage == Outage.SILENCE else httpx.ConnectError):
                    asked(solr)
        assert asked(solr).status_code == 200

    def test_documents_that_are_held_for_a_while_are_gone_afterwards(self, solr: Backend) -> None:
        query = solr.query.replace("document_type%3A1", "document_type%3A4711")
        more = [{"id": "more", "document_type": 4711, "child_objects": [{"id": "child", "number": 3}]}]
        with solr.holding(more):
            assert httpx.get(solr.source + query).json()["response"]["docs"] == more
        assert httpx.get(solr.source + query).json()["response"]["docs"] == []
        assert httpx.get(solr.source + "/solr/performance/select?q=id:child").json()["response"]["numFound"] == 0

    def test_two_at_a_time_do_not_meet(self, solr: Backend) -> None:
        with make_backend("solr", "native", REPOSITORY, cpus=None) as other:
            assert {other.front, other.source}.isdisjoint({solr.front, solr.source})
            before = solr.requests()
            assert asked(other).status_code == 200
            assert solr.requests() == before
        assert asked(solr).status_code == 200

    def test_what_died_is_started_again_where_it_was(self) -> None:
        with make_backend("solr", "native", REPOSITORY, cpus=None) as backend:
            front = backend.front
            for program in ("java", "varnishd"):
                children_of_this(program)[-1].kill()
                wait_until(lambda: backend.unavailable_reason() is not None)
                backend.revive()
                assert backend.unavailable_reason() is None
                assert backend.front == front
                assert asked(backend).status_code == 200

    @pytest.mark.parametrize("program", ["java", "varnishd"])
    def test_what_dies_while_it_starts_is_started_again(self, program: str) -> None:
        def kill_the_first() -> None:
            wait_until(lambda: len(children_of_this(program)) > before)
            children_of_this(program)[-1].kill()

        before = len(children_of_this(program))
        killer = threading.Thread(target=kill_the_first)
        killer.start()
        with make_backend("solr", "native", REPOSITORY, cpus=None) as backend:
            killer.join()
            assert backend.unavailable_reason() is None
            assert asked(backend).status_code == 200

    def test_nothing_is_left_behind(self) -> None:
        before = {process.pid for name in ("java", "varnishd") for process in children_of_this(name)}
        with make_backend("solr", "native", REPOSITORY, cpus=None):
            running = {process.pid for name in ("java", "varnishd") for process in children_of_this(name)}
            assert len(running - before) >= 2
        after = {process.pid for name in ("java", "varnishd") for process in children_of_this(name)}
        assert after == before

    def test_a_port_that_is_taken_is_named(self) -> None:
        with socket.socket() as taken:
            taken.bind(("0.0.0.0", 0))  # noqa: S104 - all addresses, as who takes it may be anywhere
            taken.listen()
            port = taken.getsockname()[1]
            with (
                pytest.raises(BackendError, match=f"port {port} is taken by"),
                make_backend("solr", "native", REPOSITORY, cpus=None, port=port),
            ):
                pass


def children_of_this(program: str) -> list[psutil.Process]:
    """Running programs of that name that this process started, the newest last."""
    found = [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE and program in p.cmdline()[0]]
    return sorted(found, key=lambda process: process.create_time())


class TestWhatIsMissing:
    """One clear line."""

    @pytest.mark.parametrize("program", ["java", "varnishd"])
    def test_a_program_is_named_with_its_remedy(self, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(toolchains, "find_program", lambda name: None if name == program else f"/bin/{name}")
        with pytest.raises(BackendError, match=f"{program} is missing: install it with: apt-get install"):
            make_backend("solr", "native", REPOSITORY, cpus=None)

    @pytest.mark.needs("solr")
    def test_jars_that_cannot_be_fetched_are_one_line_and_the_log(self, tmp_path: Path) -> None:
        repository = empty_repository(tmp_path / "repository")
        maven = a_program(tmp_path / "bin/mvn", "echo 'Could not transfer artifact solr-core'; exit 1")
        ran = restbench(repository, "solr", env={"PATH": f"{maven.parent}:{os.environ['PATH']}"})
        assert ran.code == 3
        assert "the jars of Solr could not be fetched and packed; the log is .restbench/logs/solr.build.log" in ran.err
        assert "Could not transfer artifact solr-core" in ran.err
        assert "Traceback" not in ran.err


def empty_repository(root: Path) -> Repository:
    """A checkout of which nothing was built yet."""
    root.mkdir()
    for name in ("fixtures", "frameworks", "site"):
        (root / name).symlink_to(REPOSITORY.root / name)
    return Repository(root)


@pytest.mark.thorough
@pytest.mark.needs("wrk", "solr")
def test_solr_that_is_killed_in_the_middle_of_a_run_costs_a_round(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["bench", "python/fastapi", "--suite", "solr", "--profile", "quick", "--target", "native"]
    with in_background(REPOSITORY, *words, "--out", str(out)) as run:
        journal = out / "rounds.jsonl"
        killer = threading.Thread(target=kill_solr_in_a_round, args=(run.pid, journal))
        killer.start()
        printed, err = run.communicate(timeout=400)
        killer.join()
    assert Ran(run.returncode, printed, err).has_measured, err
    assert f"{LOST} in the middle of the run: it is started again" in err
    results = read_folder(out / "results")
    # it may have been the baseline's round
    cells = [cell for result in results.values() for cell in result.cells]
    assert not any(cell.failure for cell in cells)
    refused = Counter(reason for cell in cells for reason in cell.refused)
    assert refused[LOST] == 1
    result = results["python/fastapi"]
    loaded = [cell for cell in result.cells if cell.scenario in ("json_serialization", "anonymization")]
    assert all(cell.solo.count + sum(cell.refused.values()) >= find_profile("quick").solo_rounds for cell in loaded)


def kill_solr_in_a_round(harness: int, journal: Path) -> None:
    """After the first rounds, while others are to come, until one of them is refused.

    A round whose answers are read is asked for again, and so is one that gave an error: neither is refused.
    """
    wait_until(lambda: rounds_in(journal) >= 2, seconds=150)
    for _ in range(4):
        before = rounds_in(journal)
        alive = [p for p in psutil.Process(harness).children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE]
        [java] = [p for p in alive if "java" in p.cmdline()[0]]
        os.kill(java.pid, signal.SIGKILL)
        # a round of nginx needs no Solr, so only after some more rounds it is certain that Solr was started again
        wait_until(lambda before=before: LOST in journal.read_text() or rounds_in(journal) > before + 3, seconds=60)  # type: ignore[misc]
        if LOST in journal.read_text():
            return


def rounds_in(journal: Path) -> int:
    return len(journal.read_text().splitlines()) if journal.is_file() else 0


@pytest.mark.needs("solr")
def test_make_solr_says_where_it_is_and_ends_at_ctrl_c() -> None:
    with in_background(REPOSITORY, "solr", "--target", "native") as running:
        assert running.stdout
        line = next(line for line in running.stdout if "export SOLR_URL=" in line)
        url = line.strip().removeprefix("export SOLR_URL=")
        assert httpx.get(f"{url}/select?q=*:*&rows=0").json()["response"]["numFound"] > 100
        programs = psutil.Process(running.pid).children()
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
    assert running.returncode == 0
    assert not any(program.is_running() for program in programs)
