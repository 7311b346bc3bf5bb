"""Users without a home, an account or the right to write, and checkouts that git refuses."""

import os
import pwd
from pathlib import Path

import pytest

from restbench.catalog.folders import expanded
from restbench.changes.touched import changed_files
from restbench.cli import run
from restbench.errors import ResultsError
from restbench.system.git import commit, git
from restbench.system.processes import environment, homes, search_path, user_environment
from restbench.system.repository import Repository
from restbench.targets import interpreters
from tests.end_to_end.made import made_repository
from tests.made.programs import a_program


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository of this user, of whose variables none names a place of a tool."""
    made = made_repository(tmp_path / "repository", "good")
    monkeypatch.setenv("RESTBENCH_ROOT", str(made.root))
    for name in ("CARGO_HOME", "MAVEN_OPTS"):
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture
def own(repository: Repository) -> Path:
    """The home that restbench has below its own state."""
    return repository.state / "home"


@pytest.fixture
def no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user ID without an account, and no $HOME."""

    def unknown(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


def refuse(monkeypatch: pytest.MonkeyPatch, refused: int) -> None:
    """Lets the kernel refuse to this user those rights, also where the user is root."""
    monkeypatch.setattr(os, "access", lambda _path, asked: not asked & refused)


def test_a_home_that_can_be_written_is_used(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert homes() == [tmp_path]
    assert user_environment()["HOME"] == environment({})["HOME"] == str(tmp_path)
    assert "MAVEN_OPTS" not in environment({})
    assert not own.exists()


def test_without_home_the_home_of_the_account_is_used(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    assert homes()[-1] == Path(pwd.getpwuid(os.getuid()).pw_dir)


@pytest.mark.usefixtures("no_account")
def test_without_home_and_account_caches_are_below_restbenchs_own_state(own: Path) -> None:
    made = user_environment()
    assert made["HOME"] == environment({})["HOME"] == str(own)
    assert own.is_dir()
    assert f"-Duser.home={own}" in made["MAVEN_OPTS"], "Java asks for the home of the account"
    assert f"{own}/.cargo/bin" in search_path().split(os.pathsep)


@pytest.mark.usefixtures("no_account")
def test_without_home_and_account_interpreters_on_path_are_found(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreters.forget()
    assert interpreters.found()
    interpreters.forget()


def test_a_home_that_cannot_be_written_is_still_looked_into(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    refuse(monkeypatch, os.W_OK)
    assert homes() == [own, tmp_path]
    assert f"{tmp_path}/.cargo/bin" in search_path().split(os.pathsep)


def test_a_home_that_cannot_be_read_is_left_out(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    refuse(monkeypatch, os.R_OK | os.W_OK | os.X_OK)
    assert homes() == [own]


@pytest.mark.parametrize("name", ["~/entry", "~nobody-is-called-so/entry"])
@pytest.mark.usefixtures("no_account")
def test_a_path_in_a_home_that_is_not_there_names_no_folder(
    name: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert str(expanded(name)) == name
    assert run(["verify", name]) == 2
    assert capsys.readouterr().err == f"there is no {name}/framework.toml: name the folder of an entry\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "/x/y"), "/x/y: Permission denied"),
        (OSError("no such device"), "no such device"),
        (RuntimeError("Could not determine home directory."), "Could not determine home directory."),
        (UnicodeEncodeError("utf-8", "\udce9", 0, 1, "no"), "'utf-8' codec can't encode character"),
    ],
)
def test_what_nobody_expected_of_a_machine_is_one_line_and_its_traceback_is_in_a_log(
    error: Exception,
    said: str,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("restbench.commands.listing.load_catalog", fails)
    assert run(["list"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"restbench failed: {said}")
    assert line.endswith("; its traceback is in .restbench/logs/traceback.log")
    assert type(error).__name__ in (repository.state / "logs/traceback.log").read_text()


def test_a_traceback_that_cannot_be_written_is_printed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.state.write_text("in the way of the folder")
    monkeypatch.setattr("restbench.commands.listing.load_catalog", lambda *_: os.stat("/nowhere"))  # noqa: PTH116
    assert run(["list"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("restbench failed: /nowhere: No such file or directory; Traceback")


REFUSALS = {
    "2.36": "fatal: detected dubious ownership in repository at '{root}'",
    "2.35.2": "fatal: unsafe repository ('{root}' is owned by someone else)",
}
"""git's version → how it refuses a checkout of somebody else."""


@pytest.fixture(params=REFUSALS)
def refused(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What git says of each checkout, in one line."""
    first = REFUSALS[request.param].format(root=tmp_path)
    remedy = f"git config --global --add safe.directory {tmp_path}"
    program = f"cat >&2 <<'END'\n{first}\nTo add an exception for this directory, call:\n\n\t{remedy}\nEND\nexit 128"
    monkeypatch.setenv("PATH", f"{a_program(tmp_path / 'bin/git', program).parent}:{os.environ['PATH']}")
    return f"{first}: allow it with: {remedy}"


def test_a_checkout_that_git_refuses_is_told_in_its_words_with_its_remedy(tmp_path: Path, refused: str) -> None:
    with pytest.raises(ResultsError) as raised:
        git(tmp_path, "status")
    assert raised.value.message == f"git status failed: {refused}"
    assert raised.value.detail == ""


def test_a_run_in_a_checkout_that_git_refuses_says_that_no_commit_is_noted(
    tmp_path: Path, refused: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert commit(tmp_path) is None
    assert caplog.messages == [f"no commit is noted with the figures: git status failed: {refused}"]


def test_what_changed_in_a_checkout_that_git_refuses_is_told_so(tmp_path: Path, refused: str) -> None:
    with pytest.raises(ResultsError, match="git rev-parse failed: fatal: "):
        changed_files(tmp_path, "main")
