"""What right answers look like, that docs/CONTRACT.md says what is checked, and how two JSON documents differ."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.catalog import Catalog, Cell
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.conformance.difference import difference
from restbench.conformance.http import Answer, BackendSilent, Mismatch
from restbench.conformance.issue_tracker import IssueTracker
from restbench.conformance.reading import read_answers, unasked_answers
from restbench.conformance.workload import LABELS
from restbench.loadgen import AnswerForm, Load, LoadResult, OddAnswer, Read
from restbench.loadgen.interface import LOADED_IDS
from restbench.loadgen.wrk import Wrk
from restbench.system.repository import find_repository

NUMBER, ID = 2_345_678_942, LOADED_IDS.start + 17
NUMBERED = ["userinfo", "sprint", "create-task"]


def contract(catalog: Catalog, scenario: str) -> IssueTracker:
    entry = catalog.entries["python/falcon"]
    found = contract_of(entry, Cell(entry.id, "issue-tracker", scenario, "raw"))
    assert isinstance(found, IssueTracker)
    return found


ROWS = {"userinfo": "users", "sprint": "sprints", "create-task": "tasks"}


def rows(catalog: Catalog, scenario: str) -> list[Any]:
    file = catalog.suites["issue-tracker"].folder / f"{ROWS[scenario]}.json"
    found: list[Any] = json.loads(file.read_bytes())
    return found


def right(catalog: Catalog, scenario: str, number: int = NUMBER) -> Any:
    """Returns the document that an app answers with, made of the fixtures by hand."""
    row = rows(catalog, scenario)[number % 64]
    match scenario:
        case "userinfo":
            return row | {"sub": f"{row['sub']}-{ID}", "picture": f"{row['picture'][:-10]}{number}"}
        case "sprint":
            issue = row["issues"][number % 100]
            issue["description_short"] = f"{issue['description_short'][:-10]}{number}"
            return row | {"sprint": row["sprint"] | {"id": ID}}
        case _:
            row["author"]["picture"] = f"{row['author']['picture'][:-10]}{number}"
            return row | contract(catalog, scenario).loaded_body(ID) | {"board": ID}


def answer(scenario: str, document: Any) -> Answer:
    status = 201 if scenario == "create-task" else 200
    return Answer("GET /", status, "application/json", json.dumps(document, ensure_ascii=False).encode())


def check(catalog: Catalog, scenario: str, document: Any) -> None:
    rules = contract(catalog, scenario)
    rules.check(answer(scenario, document), ID, rules.loaded_body(ID))


def test_no_issue_has_a_digit_where_the_number_of_a_fetch_may_stand(catalog: Catalog) -> None:
    for sprint in rows(catalog, "sprint"):
        assert len(sprint["issues"]) == 100
        for i, issue in enumerate(sprint["issues"]):
            assert issue["index"] == i
            assert re.fullmatch(r"[A-Za-z ,.]{10}", issue["description_short"][-10:]), issue["description_short"]


def test_rows_differ_in_all_that_makes_an_answer(catalog: Catalog) -> None:
    """So that no answer can be made of another one by putting a few texts in."""
    sprints = rows(catalog, "sprint")
    assert len(sprints) == 64
    of_each: list[Callable[[Any], object]] = [
        lambda sprint: [i for i, issue in enumerate(sprint["issues"]) if "assigned" in issue],
        lambda sprint: [issue["story_points"] for issue in sprint["issues"]],
        lambda sprint: [issue["modified_at"] for issue in sprint["issues"]],
        lambda sprint: len(json.dumps(sprint, ensure_ascii=False)),
        lambda sprint: [i for i, issue in enumerate(sprint["issues"]) if len(json.dumps(issue)) > len(str(issue))],
    ]
    for part in of_each:
        assert len({str(part(sprint)) for sprint in sprints}) > 60
    for scenario in ("userinfo", "create-task"):
        assert len({json.dumps(row) for row in rows(catalog, scenario)}) == 64
        assert len({len(json.dumps(row)) for row in rows(catalog, scenario)}) > 30


@pytest.mark.parametrize(
    ("suite", "scenario", "soonest_ms"),
    [("hello", "hello_world", 0), ("issue-tracker", "update-task", 4), ("workload", "timed", 18)],
)
def test_no_answer_comes_sooner_than_its_fetch_or_its_work(
    catalog: Catalog, suite: str, scenario: str, soonest_ms: float
) -> None:
    """Timers may end a millisecond too early, and those of event loops earlier."""
    entry = catalog.entries["python/falcon"]
    cell = next(cell for cell in entry.cells([suite]) if cell.scenario == scenario)
    assert contract_of(entry, cell, source_ms=5).soonest_ms == soonest_ms
    rules = contract_of(entry, Cell(entry.id, "issue-tracker", "update-task", "raw"), source_ms=5)
    right = Answer("PUT /", 204, "", b"", seconds=0.0041)
    rules.check(right, ID, None)
    rules.check(replace(right, seconds=inf), ID, None)  # nobody timed it
    with pytest.raises(Mismatch, match=r"after 4 ms or later, as a fetch takes 5 ms, got one after 3\.9 ms"):
        rules.check(replace(right, seconds=0.0039), ID, None)


@pytest.mark.parametrize("scenario", NUMBERED)
def test_an_answer_has_the_number_of_its_fetch(catalog: Catalog, scenario: str) -> None:
    document = right(catalog, scenario)
    check(catalog, scenario, document)
    assert contract(catalog, scenario).number_of(answer(scenario, document)) == NUMBER


@pytest.mark.parametrize("scenario", NUMBERED)
def test_an_answer_made_of_the_fixture_alone_has_no_number(catalog: Catalog, scenario: str) -> None:
    text, row = json.dumps(right(catalog, scenario), ensure_ascii=False), rows(catalog, scenario)[NUMBER % 64]
    unchanged = {
        "userinfo": lambda: row["picture"],
        "sprint": lambda: row["issues"][NUMBER % 100]["description_short"],
        "create-task": lambda: row["author"]["picture"],
    }[scenario]()
    document = json.loads(text.replace(str(NUMBER), unchanged[-10:]))
    with pytest.raises(Mismatch, match="the number of the fetch at the end of"):
        check(catalog, scenario, document)


def test_the_number_stands_in_the_issue_that_it_names(catalog: Catalog) -> None:
    document, row = right(catalog, "sprint"), rows(catalog, "sprint")[NUMBER % 64]
    document["issues"][42]["description_short"] = row["issues"][42]["description_short"]
    document["issues"][43]["description_short"] = f"{row['issues'][43]['description_short'][:-10]}{NUMBER}"
    with pytest.raises(Mismatch, match=r"issues\[42\]\.description_short"):
        check(catalog, "sprint", document)


@pytest.mark.parametrize("scenario", NUMBERED)
def test_an_answer_is_made_of_the_row_that_its_number_names(catalog: Catalog, scenario: str) -> None:
    text = json.dumps(right(catalog, scenario, NUMBER + 6400)).replace(str(NUMBER + 6400), str(NUMBER))
    check(catalog, scenario, json.loads(text))
    text = json.dumps(right(catalog, scenario, NUMBER + 100)).replace(str(NUMBER + 100), str(NUMBER))
    with pytest.raises(Mismatch):
        check(catalog, scenario, json.loads(text))


@pytest.mark.parametrize("scenario", NUMBERED)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_form_of_one_answer_gives_every_other_of_its_row(catalog: Catalog, scenario: str, ascii_only: bool) -> None:
    rules, rng = contract(catalog, scenario), random.Random(1)

    def body(number: int, identity: int) -> bytes:
        document = json.dumps(right(catalog, scenario, number), ensure_ascii=ascii_only)
        return document.replace(str(ID), str(identity)).encode()

    first = body(NUMBER, ID)
    plain = rules.without_number(first, NUMBER)
    ids = tuple(found.start() for found in re.finditer(str(ID).encode(), plain))
    form = AnswerForm(200, "application/json", plain, ids, rules.places(first, NUMBER))
    for _ in range(20):
        number, identity = NUMBER + 64 * rng.randrange(10**7), rng.choice(LOADED_IDS)
        assert form.of(identity, number) == body(number, identity)


def test_updates_are_counted_by_the_answers_of_the_same_variant(catalog: Catalog) -> None:
    numbered = contract(catalog, "update-task").numbered
    assert isinstance(numbered, Contract)
    assert (numbered.cell.scenario, numbered.cell.variant) == ("userinfo", "raw")
    sprint = contract(catalog, "sprint")
    assert sprint.numbered is sprint, "its own answers show them"
    assert sprint.number_of(answer("sprint", right(catalog, "sprint"))) is not None


def test_more_answers_than_requests_are_wrong() -> None:
    def load(sent: int | None) -> LoadResult:
        return LoadResult(100, 1.0, 1.0, {}, 0.1, 8, sent=sent)

    assert (
        str(unasked_answers(load(99), "GET /"))
        == "99 × GET /: expected 99 answers, got 100: more than one for a request"
    )
    assert unasked_answers(load(100), "GET /") is None
    assert unasked_answers(load(101), "GET /") is None
    assert unasked_answers(load(None), "GET /") is None


@pytest.mark.parametrize("wrong", [False, True])
def test_answers_beside_one_that_calls_the_backend_silent_are_read(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    entry = catalog.entries["python/falcon"]
    rules = contract_of(entry, Cell(entry.id, "solr", "anonymization", "msgspec"))
    odd = [OddAnswer(1, False, None, True, 503, "application/json", "", b"{}")]
    odd += [OddAnswer(2, False, None, True, 200, "application/json", "", b"[]")] if wrong else []
    load = LoadResult(len(odd), 1.0, 1.0, {}, 0.1, 1, sent=len(odd))
    monkeypatch.setattr(Wrk, "read", lambda *_arguments: Read(load, [], odd, []))
    with pytest.raises(Mismatch) as broken:
        read_answers("http://app", rules, None, Load(1, 1, 1, None))
    assert isinstance(broken.value, BackendSilent) != wrong


CONTRACT = find_repository().root.joinpath("docs/CONTRACT.md").read_text()


def encoded(text: str) -> set[str]:
    return set(re.findall(r"%[0-9A-F]{2}", text))


@pytest.mark.files
def test_the_encoded_characters_of_labels_are_those_that_it_names(catalog: Catalog) -> None:
    row = next(line for line in CONTRACT.splitlines() if line.startswith("| labels |"))
    named = encoded(row.partition("may contain")[2])
    contract = contract_of(catalog.entries["python/falcon"], Cell("python/falcon", "workload", "labels", None))
    asked = {one for number in range(len(LABELS)) for one in encoded(contract.path(number))}
    ascii_characters = {quote(character) for character in map(chr, range(128))}
    assert named & ascii_characters == asked & ascii_characters
    assert encoded(quote("ö")) <= asked & named


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(json_values)
def test_a_document_is_like_itself(document: object) -> None:
    assert difference(document, document) is None


@pytest.mark.parametrize(
    ("expected", "got", "where"),
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, "$.a[1]"),
        ({"a": [1, 2]}, {"a": [1]}, "$.a"),
        ({"a": 1, "b": 2}, {"a": 1}, "$.b"),
        ({"a": 1}, {"a": 1, "assigned": None}, "$.assigned"),
        ({"a": 1}, {"a": 1.0}, "$.a"),
        ({"a": 1}, {"a": True}, "$.a"),
        ({"a": "1"}, {"a": 1}, "$.a"),
        ([{"a": "x"}], [{"a": "y"}], "$[0].a"),
    ],
)
def test_the_first_difference_is_named(expected: object, got: object, where: str) -> None:
    found = difference(expected, got)
    assert found is not None
    assert found[0] == where


def test_key_order_is_free() -> None:
    assert difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None


SENT = "2024-02-29T12:30:00.250Z"

SAME = [
    SENT,
    "2024-02-29t12:30:00.250z",
    "2024-02-29T12:30:00.25Z",
    "2024-02-29T12:30:00.250000000000Z",
    "2024-02-29T12:30:00.250+00:00",
    "2024-02-29T12:30:00.250-00:00",
    "2024-02-29t14:00:00.25+01:30",
    "2024-02-28T12:31:00.25-23:59",
]


@pytest.mark.parametrize("got", SAME)
def test_the_same_instant_is_right_in_each_of_its_forms(got: str) -> None:
    assert difference(SENT, got) is None


OTHER = [
    "2024-02-29T12:30:00.250+0000",
    "2024-02-29T12:30:00.250+00",
    "2024-02-29T12:30:00.250",
    "2024-02-29 12:30:00.250Z",
    "2024-02-29_12:30:00.250Z",
    "20240229T123000.250Z",
    "2024-W09-4T12:30:00.250Z",
    "2024-060T12:30:00.250Z",
    "2024-02-29T12:30:00,250Z",
    "2024-02-29T12:30:00.Z",
    "2024-02-29T12:30:00.250Z ",
    "2024-02-29T12:30:00.250001Z",
    "2024-02-29T12:30:00.250000000000001Z",
    "2024-02-29T12:30:01.250Z",
    "2024-02-30T12:30:00.250Z",
    "2024-02-29T12:60:00.250Z",
    "\uff12\uff10\uff12\uff14-02-29T12:30:00.250Z",
    "+2024-02-29T12:30:00.250Z",
    "1709209800.25",
]
NO_DATE_TIME = [
    ("2024-02-29T12:30:00Z", "2024-02-29T12:30Z"),  # without seconds, though both say the same minute
    ("2024-03-02T00:00:00Z", "2024-03-01T24:00:00Z"),
    ("2024-03-02T00:00:00Z", "2024-03-01T25:00:00Z"),
]


@pytest.mark.parametrize(("sent", "got"), [*((SENT, other) for other in OTHER), *NO_DATE_TIME])
def test_another_instant_or_another_form_is_wrong(sent: str, got: str) -> None:
    assert difference({"at": sent}, {"at": got}) == ("$.at", repr(sent), repr(got))


def test_a_leap_second_is_the_second_before_midnight_plus_one() -> None:
    assert difference("1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00") is None
    assert difference("1990-12-31T23:59:60Z", "1990-12-31T23:59:59Z") is not None
