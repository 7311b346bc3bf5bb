"""The interpreter that an entry gets natively: one that was compiled with PGO, and then the newest."""

import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.targets import interpreters
from restbench.targets.interpreters import Interpreter, choose, slow_reason
from tests.made.programs import a_program


def made(version: str, *, optimised: bool) -> Interpreter:
    return Interpreter(Path(f"/opt/{version}/bin/python3"), Version(version), optimised)


FOUND = [
    made("3.9.2", optimised=True),
    made("3.11.2", optimised=True),
    made("3.13.0", optimised=False),
    made("3.12.1", optimised=False),
]


@pytest.mark.parametrize(
    ("allowed", "version"),
    [(">=3.8", "3.11.2"), (">=3.9,<3.11", "3.9.2"), (">=3.12", "3.13.0"), ("==3.12.*", "3.12.1"), (">=3.99", None)],
)
def test_pgo_counts_before_the_version(allowed: str, version: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "found", lambda: FOUND)
    chosen = choose(SpecifierSet(allowed))
    assert (str(chosen.version) if chosen else None) == version


def test_an_interpreter_without_pgo_is_slow_and_the_remedy_is_named() -> None:
    assert slow_reason(made("3.11.2", optimised=True)) is None
    reason = slow_reason(made("3.13.0", optimised=False)) or ""
    assert reason.startswith("Python 3.13.0 was compiled without profile-guided optimisation")
    assert "install another" in reason


def test_an_interpreter_by_other_names_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = Path(sys.executable).resolve()
    for name in ("python3", "python3.11", "python3.13"):
        (tmp_path / name).symlink_to(real)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(interpreters, "_MINORS", (11, 13))
    interpreters.forget()
    assert [each.path for each in interpreters.found() if each.path == real] == [real]
    assert len({each.path for each in interpreters.found()}) == len(interpreters.found())
    interpreters.forget()


@pytest.mark.parametrize(
    ("prints", "described"),
    [("3.13.0 True", True), ("3.13.0 False", False), ("3.14.0rc1 True", None), ("no version is selected", None)],
)
def test_only_a_released_interpreter_that_describes_itself_is_taken(
    prints: str, described: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = a_program(tmp_path / ".pyenv/versions/3/bin/python3", f"echo {prints}")
    monkeypatch.setenv("HOME", str(tmp_path))
    interpreters.forget()
    found = [each.optimised for each in interpreters.found() if each.path == python]
    interpreters.forget()
    assert found == ([] if described is None else [described])
