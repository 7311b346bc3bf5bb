"""How an app that is developed can be asked."""

import pytest

from restbench.catalog import Catalog
from restbench.commands.serve import examples, serve
from restbench.errors import UsageError
from tests.made.small import small_repository

URL = "http://127.0.0.1:8080"


def commands(catalog: Catalog, name: str) -> list[str]:
    entry = catalog.entries[name]
    return list(examples(entry, entry.cells(list(catalog.suites)), URL, small_repository()))


def test_each_request_of_the_contract_has_one_command(catalog: Catalog) -> None:
    said = commands(catalog, "python/falcon")
    assert f"curl -i '{URL}/hello_world'" in said
    assert f"curl -i '{URL}/api/v1/sprint/raw/1'" in said
    assert (
        "curl -i -X PUT -H 'content-type: application/json' --data-binary @fixtures/issue-tracker/update-task.json "
        f"'{URL}/api/v1/board/msgspec/1/task'"
    ) in said
    assert f"curl -i '{URL}/json_serialization/msgspec?document_type=1'" in said
    assert len(said) == len(set(said))
    assert not [line for line in said if "{" in line]


def test_patterns_are_refused() -> None:
    with pytest.raises(
        UsageError, match=r"one framework is served at a time, and python/fa\* stands for python/falcon, "
    ):
        serve("python/fa*", "native", None)
