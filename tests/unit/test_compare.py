"""The first difference between two JSON documents, by its path."""

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


def test_key_order_is_free_and_date_times_are_instants() -> None:
    assert difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None
    assert difference("2026-03-01T09:30:00Z", "2026-03-01T09:30:00+00:00") is None
    assert difference("2026-03-01T09:30:00Z", "2026-03-01T10:30:00+01:00") is None
    assert difference("2026-03-01T09:30:00Z", "2026-03-01T09:30:00") is not None
    assert difference("2026-03-01T09:30:00Z", "2026-03-01T09:30:01Z") is not None
