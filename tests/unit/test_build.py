"""Builds show what is going on."""

import threading
from pathlib import Path

import pytest
from rich.console import Console

from restbench.catalog import Entry
from restbench.commands import build
from restbench.commands.selection import Selection
from restbench.errors import BuildError
from restbench.system.repository import Repository
from restbench.targets import Build
from tests.made.boards import made_catalog
from tests.unit.fakes import FakeRuntime, World


class HeldRuntime(FakeRuntime):
    """Builds Falcon when it is let go, and the others at once."""

    def __init__(self) -> None:
        super().__init__(World())
        self.let_go = threading.Event()

    def build(self, entry: Entry) -> Build:
        if entry.name == "starlette":
            raise BuildError("the compiler says no")
        if entry.name == "falcon":
            assert self.let_go.wait(20)
        return super().build(entry)


def selection(runtime: FakeRuntime) -> Selection:
    catalog = made_catalog()
    return Selection(Repository(Path()), catalog, catalog.ranked, [], runtime, mistakes=[])


def test_a_build_that_takes_long_is_named_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(build, "_SOON_SECONDS", 0.0)
    runtime = HeldRuntime()
    made = build.side_by_side(selection(runtime), Console(force_terminal=False))
    first = {next(made)[0].id for _ in range(2)}
    assert first == {"python/fastapi", "python/starlette"}
    threading.Timer(0.3, runtime.let_go.set).start()
    assert [entry.id for entry, _ in made] == ["python/falcon"]
    said = capsys.readouterr().err
    assert said.splitlines().count("building python/falcon") == 1


def test_each_entry_comes_with_what_became_of_it() -> None:
    runtime = HeldRuntime()
    runtime.let_go.set()
    made = {entry.id: what for entry, what in build.side_by_side(selection(runtime), Console(force_terminal=False))}
    assert isinstance(made.pop("python/starlette"), BuildError)
    assert {type(what) for what in made.values()} == {Build}
