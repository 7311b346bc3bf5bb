"""The numbers that the cache puts into Solr's answers, and what an answer has to have in their place."""

import json
import re
from math import floor
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.backends.numbers import Numbers
from restbench.backends.programs import cache_configuration
from restbench.backends.query import QUERY, query_pattern
from restbench.catalog import Catalog, Cell
from restbench.conformance.contract import Contract
from restbench.conformance.contracts import contract_of
from restbench.conformance.http import Answer, Mismatch
from restbench.conformance.solr import as_answered
from restbench.system.repository import find_repository
from tests.unit.fakes import FakeBackend, World

NOW = 1_750_000_000.25
NUMBERS = Numbers(factor=123_456_789 + 2)


def made(time: float, identity: int, numbers: Numbers = NUMBERS) -> int:
    """What Varnish computes (fixtures/solr/cache.vcl.j2)."""
    number = (floor(time * 10) % 900 * 10**7 + identity % 10**7) * numbers.factor % (9 * 10**9) + 10**9
    assert number < 2**63
    return number


times = st.floats(NOW, NOW + 1e8)
identities = st.integers(1, 2**30)


@given(times, identities)
def test_a_number_has_ten_digits_and_lies_between_the_times_of_its_request(time: float, identity: int) -> None:
    number = made(time, identity)
    assert re.fullmatch(r"[1-9][0-9]{9}", str(number))
    assert NUMBERS.is_given(number, time, time)
    assert NUMBERS.is_given(number, time - 3, time + 3)
    assert not NUMBERS.is_given(number, time - 3, time - 0.2)
    assert not NUMBERS.is_given(number, time + 0.2, time + 3)


@given(times, st.sets(identities, min_size=2, max_size=9))
def test_two_requests_have_two_numbers(time: float, some: set[int]) -> None:
    assert len({made(time, each) for each in some}) == len({each % 10**7 for each in some})


def test_nothing_is_said_where_the_clock_was_set_back_meanwhile() -> None:
    assert NUMBERS.is_given(made(NOW, 5), NOW, NOW - 30)


def test_each_cache_has_a_factor_of_its_own_with_which_no_product_is_too_large() -> None:
    factors = {Numbers.drawn().factor for _ in range(20)}
    assert len(factors) == 20
    assert all(10**8 <= factor < 10**9 and factor % 2 and factor % 3 and factor % 5 for factor in factors)
    assert (Numbers.SPAN - 1) * max(factors) < 2**63


def test_a_number_that_follows_another_is_almost_never_one() -> None:
    first = made(NOW, 1)
    assert sum(NUMBERS.is_given(first + n, NOW, NOW + 3) for n in range(1, 1000)) < 100


PAIRS = parse_qsl(QUERY)


@pytest.mark.parametrize(
    "query",
    [
        QUERY,
        urlencode(PAIRS[::-1]),
        urlencode(PAIRS, quote_via=quote),
        urlencode(PAIRS, quote_via=quote, safe="*:[],="),
        QUERY.lower(),
        QUERY.replace("%3A1", "%3A2147483647"),
        QUERY.replace("%3A1", "%3A%5C-5"),
        QUERY.replace("%3A1", "%3A-5"),
    ],
)
def test_the_right_request_may_be_written_in_any_order_and_encoding(query: str) -> None:
    assert re.match(query_pattern(), query, re.IGNORECASE)


@pytest.mark.parametrize(
    "query",
    [
        f"{QUERY}&wt=json",
        f"{QUERY}&rows=1",
        f"start=99&{QUERY}",
        QUERY.replace("rows=100", "rows=10"),
        QUERY.replace("rows=100", "rows=1000"),
        QUERY.replace("rows=100&", ""),
        QUERY.replace("rows=100", "nrows=100"),
        QUERY.replace("%2A%3A%2A", "id%3A1"),
        QUERY.replace("fl=id", "fl=name"),
        f"{QUERY}+OR+id%3A1",
    ],
)
def test_any_other_is_another_request(query: str) -> None:
    assert query != QUERY
    assert not re.match(query_pattern(), query, re.IGNORECASE)


def test_the_configuration_of_the_cache_has_where_solr_is_and_the_secret() -> None:
    text = cache_configuration(find_repository().fixtures, "127.0.0.1:8983", NUMBERS)
    assert '.host = "127.0.0.1";' in text
    assert '.port = "8983";' in text
    assert f"* {NUMBERS.factor} %" in text
    assert "{{" not in text


def solr(catalog: Catalog, scenario: str) -> Contract:
    entry, backend = catalog.entries["python/falcon"], FakeBackend(World())
    backend.numbers = NUMBERS
    return contract_of(entry, Cell(entry.id, "solr", scenario, "msgspec"), backend)


def right(catalog: Catalog, scenario: str, end: object) -> Any:
    """Returns what an app answers with, where the cache put that in."""
    documents = json.loads((catalog.suites["solr"].folder / "documents.json").read_bytes())
    child = documents[99]["child_objects"][9]
    child["name"] = f"{child['name'][:-10]}{end}"
    return [as_answered(document, hide=scenario == "anonymization") for document in documents]


def answer(documents: Any, *, ascii_only: bool = False) -> Answer:
    return Answer("GET /", 200, "application/json", json.dumps(documents, ensure_ascii=ascii_only).encode())


SCENARIOS = pytest.mark.parametrize("scenario", ["json_serialization", "anonymization"])


@SCENARIOS
def test_an_answer_has_the_number_of_the_cache(catalog: Catalog, scenario: str) -> None:
    rules, number = solr(catalog, scenario), made(NOW, 7)
    got = answer(right(catalog, scenario, number))
    rules.check(got, 0, None)
    assert rules.number_of(got) == number


@SCENARIOS
@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("cel 774924", "the number of the fetch at the end of $[99].child_objects[9].name, got no number"),
        ("<esi:include src='/number'/>", "the app does not send Solr the request of docs/CONTRACT.md"),
        ("0123456789", "$[99].child_objects[9].name = 'Quartz Crossing of Willow Market, parcel 774924', got"),
    ],
)
def test_an_answer_without_one_is_wrong(catalog: Catalog, scenario: str, end: str, message: str) -> None:
    with pytest.raises(Mismatch, match=re.escape(message)):
        solr(catalog, scenario).check(answer(right(catalog, scenario, end)), 0, None)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_form_of_one_answer_gives_every_other(catalog: Catalog, ascii_only: bool) -> None:
    rules, number = solr(catalog, "anonymization"), made(NOW, 7)
    first = answer(right(catalog, "anonymization", number), ascii_only=ascii_only).body
    other = answer(right(catalog, "anonymization", 1_234_567_890), ascii_only=ascii_only).body
    (place,) = rules.places(first, number)
    assert first[:place] + b"1234567890" + first[place + 10 :] == other
    assert rules.without_number(first, number) == rules.without_number(other, 1_234_567_890)


def test_numbers_of_a_load_are_those_that_the_cache_gave_meanwhile(catalog: Catalog) -> None:
    rules = solr(catalog, "json_serialization")
    numbers = [made(NOW + n / 100, n) for n in range(200)]
    rules.check_numbers(numbers, NOW, NOW + 2)
    with pytest.raises(Mismatch, match=f"a fetch of its own for each answer, got the fetch {numbers[3]} in 2 answers"):
        rules.check_numbers([*numbers, numbers[3]], NOW, NOW + 2)
    earlier = made(NOW - 5, 201)
    with pytest.raises(Mismatch, match=f"that the cache gave meanwhile, got 1 others, such as {earlier}: kept or made"):
        rules.check_numbers([*numbers, earlier], NOW, NOW + 2)
