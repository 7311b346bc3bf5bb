"""Answers under load: which are wrong, which are missing, and how many fetches they need."""

import json
import random
from dataclasses import replace
from typing import Any, cast

import pytest

from restbench.catalog import Catalog, Cell
from restbench.conformance import fetches
from restbench.conformance.answers import RightAnswers
from restbench.conformance.bodies import wrong_under_load
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.conformance.fetches import FetchCounter, fetch_counter
from restbench.conformance.http import Answer, Mismatch, NoAnswer
from restbench.conformance.reading import check_answers, expect_all, reading_of, with_wrong_ones
from restbench.loadgen import LoadResult, OddAnswer, Read
from restbench.loadgen.reading import Closed, lua

LOAD = LoadResult(5000, 1.0, 1.0, {}, 0.1, 8, sent=5000)
RIGHT = Read(LOAD, [], [], [])


@pytest.fixture
def simple(catalog: Catalog) -> Contract:
    return contract_of(catalog.entries["python/falcon"], Cell("python/falcon", "workload", "simple", "raw"))


def odd(body: bytes, status: int = 200, **others: Any) -> OddAnswer:
    usual = OddAnswer(7, False, 1_000_000_000, True, status, "application/json", "", body)
    return replace(usual, **others)


def test_right_answers_are_right(simple: Contract) -> None:
    hello = json.dumps({"payload": f"Hello, {simple.loaded_body(1_000_000_000)['payload']}"}).encode()
    check_answers(simple, [replace(RIGHT, numbers=[1, 2]), replace(RIGHT, numbers=[3], odd=[odd(hello)])])
    expect_all(simple, [RIGHT])


def test_answers_without_any_header_field_are_timed_together(catalog: Catalog) -> None:
    """Each fetch takes 21 ms. Requests that are refused may be answered at once."""
    cell = Cell("python/falcon", "issue-tracker", "update-task", "raw")
    update = contract_of(catalog.entries["python/falcon"], cell, None, 21.0)
    bare = replace(RIGHT, bare=4900, wrong=100, refused=100)
    check_answers(update, [replace(bare, load=replace(LOAD, mean_ms=update.soonest_ms * 0.98))])
    with pytest.raises(Mismatch, match=r"got a mean of .* ms: some were not waited for"):
        check_answers(update, [replace(bare, load=replace(LOAD, mean_ms=update.soonest_ms * 0.97))])


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (replace(RIGHT, odd=[odd(b'{"payload": "Hello"}')]), "POST /test/simple/raw (answer 7 under load): expected"),
        (replace(RIGHT, odd=[odd(b"{}", 500)]), "expected status 200"),
        (replace(RIGHT, odd=[odd(b"{}", encoding="gzip")]), "an answer that is not encoded"),
        (replace(RIGHT, odd=[odd(b"{}", id=None, is_known=False)]), "the id of a request that waits for its answer"),
        (replace(RIGHT, odd=[odd(b"{}", to_wrong=True)]), "expected status 400 or 422 to a wrong body"),
        (replace(RIGHT, wrong=9, refused=8), "400 or 422 to each of 9 wrong bodies among right ones, got 8 of them"),
        (replace(RIGHT, numbers=[4, 5, 4]), "the fetch 4 in 2 answers: rows or answers are kept"),
        (replace(RIGHT, bare=3), "expected a content-type in each answer, got 3 answers without any header field"),
        (replace(RIGHT, soonest_ms=3.2), "one after 3.2 ms: it was not waited for"),
        (replace(RIGHT, closed=[Closed(100, True)]), "closes the connection after answer 100"),
        (replace(RIGHT, load=replace(LOAD, errors={"read": 6})), "got 6 that were closed, or that wrk could not read"),
        (replace(RIGHT, load=replace(LOAD, sent=4999)), "more than one for a request"),
    ],
)
def test_a_wrong_answer_is_told(simple: Contract, read: Read, message: str) -> None:
    with pytest.raises(Mismatch) as broken:
        check_answers(simple, [RIGHT, read])
    assert message in str(broken.value)


def test_the_same_number_in_two_loads_is_a_row_that_was_kept(simple: Contract) -> None:
    with pytest.raises(Mismatch, match="the fetch 4 in 2 answers"):
        check_answers(simple, [replace(RIGHT, numbers=[4]), replace(RIGHT, numbers=[4])])


def test_connections_that_were_closed_after_a_thousand_answers_each_are_right(simple: Contract) -> None:
    check_answers(simple, [replace(RIGHT, load=replace(LOAD, errors={"read": 5}), closed=[Closed(1000, True)])])


@pytest.mark.parametrize(
    "load",
    [
        replace(LOAD, requests=4999),
        replace(LOAD, errors={"timeout": 1}),
        replace(LOAD, errors={"unanswered": 1}),
        replace(LOAD, requests=0, sent=0),
    ],
)
def test_silence_is_told(simple: Contract, load: LoadResult) -> None:
    check_answers(simple, [replace(RIGHT, load=load)])
    with pytest.raises(NoAnswer):
        expect_all(simple, [RIGHT, replace(RIGHT, load=load)])


def test_a_connection_may_be_closed_after_a_wrong_body(simple: Contract) -> None:
    lost = replace(LOAD, requests=4998, errors={"read": 2})
    read = replace(RIGHT, load=lost, wrong=9, refused=8)
    check_answers(simple, [read])
    expect_all(simple, [read])
    with pytest.raises(NoAnswer, match="10 without one"):
        expect_all(simple, [replace(read, load=replace(lost, requests=4990))])


def test_what_waits_may_not_come_sooner(catalog: Catalog, simple: Contract) -> None:
    timed = contract_of(catalog.entries["python/falcon"], Cell("python/falcon", "workload", "timed", "raw"))
    assert reading_of(timed, None).soonest_ms == 18
    assert reading_of(simple, None).soonest_ms == 0
    assert reading_of(simple, RightAnswers((1, 1), (1, 1))).forms == ()


def test_each_load_ends_with_wrong_bodies_of_the_usual_length_and_beginning(catalog: Catalog) -> None:
    contracts = [contract_of(entry, cell) for entry in catalog.baselines for cell in entry.cells(list(entry.suites))]
    with_bodies = [each for each in contracts if each.shape.bodies]
    assert {each.scenario.name for each in with_bodies} >= {"create-task", "update-task", "simple", "bcrypt"}
    for contract in with_bodies:
        for body in contract.shape.bodies:
            wrong = wrong_under_load(body, validates=contract.validates, rng=random.Random(1))
            assert len(wrong) == 3 + contract.validates
            assert all(len(each) == len(body) for each in wrong)
            assert all(each[: len(body) // 4] == body[: len(body) // 4] for each in wrong[:1])
            for each in wrong[:3]:
                with pytest.raises(ValueError, match=r".+"):
                    json.loads(each)
            if contract.validates:
                assert json.loads(wrong[3]).keys() == json.loads(body).keys()
        reading = with_wrong_ones(reading_of(contract, None), contract, 8, random.Random(1))
        lengths = {len(contract.shape.body_for(1_000_000_000 + i) or b"") for i in range(len(contract.shape.bodies))}
        assert {len(each) for each in reading.wrong} == lengths
        assert (len(reading.wrong), reading.mixed) == (len(contract.shape.bodies) * len(wrong), 16)


def test_forms_of_a_body_are_one_document_in_many_writings(catalog: Catalog) -> None:
    suites = catalog.suites.values()
    scenarios = [(suite, scenario) for suite in suites for scenario in suite.scenarios if scenario.body]
    for suite, scenario in scenarios:
        bodies = suite.bodies(scenario)
        documents = [json.loads(body) for body in bodies]
        assert len(set(bodies)) == 5
        assert len({frozenset(document) for document in documents}) == 1
        assert all((body.count(b"{id}"), body.count(b"\n")) == (1, 0) for body in bodies)
        assert {b"\\u" in body for body in bodies} == {True, False}
        assert len({len(body) for body in bodies}) >= 4


class Source:
    """Numbers the fetches of some processes, and gives the answers of a contract whose numbers are those."""

    def __init__(self, *processes: int) -> None:
        self.processes, self.asked = list(processes), 0
        self.numbered = self.scenario = self.shape = self
        self.method, self.path, self.source_fetches, self.cell = "PUT", "/task", 1, "update-task"

    def right_answer(self, _client: object, _rng: random.Random) -> Answer:
        which = self.asked % len(self.processes)
        self.asked += 1
        self.processes[which] += 1
        return Answer("GET /user", 200, "application/json", str(self.processes[which]).encode())

    @staticmethod
    def number_of(answer: Answer) -> int:
        return int(answer.body)

    def fetch(self, times: int) -> None:
        for i in range(times):
            self.processes[i % len(self.processes)] += 1


@pytest.fixture
def no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoClient:
        def __init__(self, _base_url: str) -> None:
            pass

        def __enter__(self) -> "NoClient":
            return self

        def __exit__(self, *_error: object) -> None:
            pass

    monkeypatch.setattr(fetches, "Client", NoClient)


def counter_of(source: Source, workers: int) -> FetchCounter:
    counter = fetch_counter("http://app", cast("Contract", source), workers, random.Random(1))
    assert counter
    return counter


@pytest.mark.usefixtures("no_client")
@pytest.mark.parametrize("processes", [(3_000_000_000,), (3_000_000_000, 7_000_000_000)])
def test_as_many_fetches_as_answers_are_enough(processes: tuple[int, ...]) -> None:
    source = Source(*processes)
    counter = counter_of(source, len(processes))
    for fetched, answered in ((100, 100), (101, 100), (0, 0)):
        source.fetch(fetched)
        assert counter.too_few(answered) is None
    source.fetch(99)
    assert str(counter.too_few(100)) == (
        "100 × PUT /task: expected 100 fetches, got 99 fetches: the data source is not asked each time"
    )


@pytest.mark.usefixtures("no_client")
def test_fetches_of_a_process_that_was_not_known_cannot_be_counted_yet() -> None:
    source = Source(3_000_000_000)
    counter = counter_of(source, 2)
    source.processes.append(7_000_000_000)
    assert counter.too_few(100) is None
    assert counter.too_few(100) is not None, "now it is known"


@pytest.mark.usefixtures("no_client")
def test_requests_between_two_loads_do_not_count() -> None:
    source = Source(3_000_000_000)
    counter = counter_of(source, 1)
    source.fetch(1000)  # verification asks as well
    counter.look()
    assert counter.too_few(1) is not None


def test_a_scenario_without_fetches_has_none_to_count(simple: Contract) -> None:
    assert fetch_counter("http://nobody", simple, 1, random.Random(1)) is None


def test_lua_reads_what_is_written_for_it() -> None:
    value = {"a": None, "t": True, "b": [1, 2.5], "c": b'\x00"\\\n7', "d": "é", "e": {"f": ()}}
    assert lua(value) == r'{a=nil,t=true,b={1,2.5},c="\000\034\092\0107",d="\195\169",e={f={}}}'
