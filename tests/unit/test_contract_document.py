"""docs/CONTRACT.md says what is checked."""

import re
from urllib.parse import quote

import pytest

from restbench.catalog import Catalog, Cell
from restbench.conformance.contracts import contract_of
from restbench.conformance.workload import LABELS
from restbench.system.repository import find_repository

pytestmark = pytest.mark.files

CONTRACT = find_repository().root.joinpath("docs/CONTRACT.md").read_text()


def encoded(text: str) -> set[str]:
    return set(re.findall(r"%[0-9A-F]{2}", text))


def test_the_encoded_characters_of_labels_are_those_that_it_names(catalog: Catalog) -> None:
    row = next(line for line in CONTRACT.splitlines() if line.startswith("| labels |"))
    named = encoded(row.partition("may contain")[2])
    contract = contract_of(catalog.entries["python/falcon"], Cell("python/falcon", "workload", "labels", None))
    asked = {one for number in range(len(LABELS)) for one in encoded(contract.path(number))}
    ascii_alone = {quote(character) for character in map(chr, range(128))}
    assert named & ascii_alone == asked & ascii_alone
    assert encoded(quote("ö")) <= asked & named
