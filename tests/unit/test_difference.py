"""The first difference between two JSON documents, by its path. Date-times are instants by RFC 3339."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from restbench.conformance.difference import difference

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
