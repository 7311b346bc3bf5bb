"""An app that dies closes its sockets before its process is gone: the death is found all the same."""

import random
import socket

import pytest

from restbench.catalog import Catalog, Entry
from restbench.conformance import after_load
from restbench.errors import AppDiedError, LoadError
from restbench.measure.round import LoadedCell, blaming_the_app
from restbench.targets import Settings
from tests.unit.fakes import FakeTarget, World

LOOKS_WHILE_DYING = 3


class DyingTarget(FakeTarget):
    """An app whose port is closed. Its process is seen as running for some more looks where it is `dying`."""

    def __init__(self, entry: Entry, *, dying: bool) -> None:
        super().__init__(World(), entry, Settings(cpus=(0,)))
        self.base_url = f"http://127.0.0.1:{closed_port()}"
        self._dying = dying
        self._looks = 0

    def exit_reason(self) -> str | None:
        self._looks += 1
        return "was ended by signal 9" if self._dying and self._looks > LOOKS_WHILE_DYING else None


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture
def entry(catalog: Catalog) -> Entry:
    return catalog.entries["python/falcon"]


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("restbench.targets.interface.ENDING_SECONDS", 0.2)


def test_the_app_and_not_its_cells_is_blamed_for_its_death(entry: Entry) -> None:
    cells = entry.cells(["hello"])
    (verdict,) = after_load(DyingTarget(entry, dying=True), entry, cells, random.Random(1))
    assert verdict.check == "alive"
    assert "it was ended by signal 9" in str(verdict.broken)


def test_an_app_that_runs_and_refuses_connections_is_alive_and_its_cells_are_wrong(entry: Entry) -> None:
    cells = entry.cells(["hello"])
    *answers, alive = after_load(DyingTarget(entry, dying=False), entry, cells, random.Random(1))
    assert alive.kept
    assert [verdict.check for verdict in answers if verdict.broken] == ["after-load"] * len(cells)


def test_a_load_that_fails_because_the_app_dies_is_the_app_s_death(entry: Entry) -> None:
    app = LoadedCell(entry, entry.cells(["hello"])[0], DyingTarget(entry, dying=True))
    with pytest.raises(AppDiedError, match=r"was ended by signal 9 under load"), blaming_the_app(app):
        raise LoadError("wrk: connection refused")


def test_a_load_that_fails_while_the_app_runs_is_the_load_generator_s_failure(entry: Entry) -> None:
    app = LoadedCell(entry, entry.cells(["hello"])[0], DyingTarget(entry, dying=False))
    with pytest.raises(LoadError, match="failed with code 139"), blaming_the_app(app):
        raise LoadError("wrk failed with code 139")
