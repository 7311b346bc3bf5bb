"""The program with the key or token that may write pushes what it shall, and nothing of others is lost."""

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from restbench.ci import pages
from restbench.ci.git import Checkout
from restbench.system.ports import free_port, only_address
from restbench.system.repository import find_repository
from tests.end_to_end.made import wait_until
from tests.needs import OPENSSH, sshd
from tests.unit.repositories import ENVIRONMENT, GIT_CONFIG, a_clone, a_remote, commit, fails_first, git, push

PROGRAM = find_repository().root / "scripts/push-publication"
PROGRAMS = ("bash", "git", "base64", "sleep")
"""All that runs with the token, and with the key beside OpenSSH's client. The shell's own commands are no programs."""

FIRST = {"README.md": "the board\n", "results/latest/a.json": "old", "scripts/x": "code"}
NEW = {"README.md": "the board of a and b\n", "results/latest/b.json": "new"}


@dataclass
class Publication:
    """What a run of the service wants to push. `environment`: what the program knows of it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def board(self) -> str:
        return self.environment["BOARD"]

    @property
    def pages(self) -> str:
        return self.environment["PAGES"]


@dataclass(frozen=True)
class Pushed:
    code: int
    output: str
    lost: bool


def a_publication(remote: Path, folder: Path, files: dict[str, str], site: str = "the site") -> Publication:
    """What the job before makes on top of the remote."""
    folder.mkdir()
    work, made = a_clone(remote, folder / "work"), Publication(folder / "publication")
    below, checkout = git(work, "rev-parse", "HEAD"), Checkout(work)
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    board = pages.commit_results(checkout, "Results")
    replaces = pages.prepare_pages(checkout).replaces or ""
    made.folder.mkdir()
    if board != below:
        bundle(work, made, "board", f"^{below}", pages.BOARD)
    made.environment = {"BELOW": below, "BOARD": board, "REPLACES": replaces}
    made.environment["PAGES"] = pages.commit_pages(checkout, {"index.html": site.encode()}, "The site")
    bundle(work, made, "pages", pages.PAGES)
    return made


def bundle(work: Path, made: Publication, name: str, *what: str) -> None:
    git(work, "bundle", "create", "--quiet", str(made.folder / f"{name}.bundle"), *what)


def pushed(remote: Path, made: Publication, programs: Path | None = None, **more: str) -> Pushed:
    """Runs the program in a new checkout of the newest commit, as the workflow does, with only `programs`.

    It has a terminal, as some runners of one's own have, where nobody answers a question.
    """
    folder = made.folder.parent
    checkout = folder / f"push-{len(list(folder.glob('push-*')))}"
    git(folder, "clone", "--quiet", "--depth=1", "--branch=main", f"file://{remote}", str(checkout))
    output = checkout / ".git/output"
    output.touch()
    environment = {**ENVIRONMENT, **made.environment, "BRANCH": "main", "GITHUB_OUTPUT": str(output)}
    environment |= {"PATH": str(programs or only_programs(folder)), "PUSH_PAUSE_SECONDS": "0", **more}
    setsid = shutil.which("setsid")
    assert setsid
    here, terminal = os.openpty()
    try:
        ran = subprocess.run(
            [setsid, "--ctty", "--wait", PROGRAM, str(made.folder)],
            cwd=checkout,
            env=environment,
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(here)
        os.close(terminal)
    return Pushed(ran.returncode, ran.stdout, output.read_text() == "lost=true\n")


def only_programs(folder: Path) -> Path:
    """A folder with the few programs that the one under test may run. Without a key it works without OpenSSH's."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name in (*PROGRAMS, *OPENSSH):
        path = shutil.which(name)
        assert path or name in OPENSSH
        if path and not (programs / name).exists():
            (programs / name).symlink_to(path)
    return programs


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return a_remote(tmp_path, FIRST)


@pytest.fixture
def made(remote: Path, tmp_path: Path) -> Publication:
    return a_publication(remote, tmp_path / "run", NEW)


def heads(remote: Path) -> dict[str, str]:
    lines = git(remote, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads").splitlines()
    return {name: commit for name, _, commit in (line.partition(" ") for line in lines)}


def test_both_branches_are_pushed_only_by_git_and_nothing_twice_where_the_job_is_run_again(
    remote: Path, made: Publication
) -> None:
    first, again = pushed(remote, made), pushed(remote, made)
    for done in (first, again):
        assert (done.code, done.lost) == (0, False), done.output
    assert heads(remote) == {"main": made.board, "gh-pages": made.pages}
    assert git(remote, "rev-list", "--count", "gh-pages") == "1"
    assert f"main is at {made.board[:10]} (try 1)" in first.output


def test_a_later_site_replaces_the_one_commit(remote: Path, tmp_path: Path) -> None:
    pushed(remote, a_publication(remote, tmp_path / "first", NEW))
    made = a_publication(remote, tmp_path / "second", {"README.md": "newer\n"}, site="the next site")
    assert pushed(remote, made).code == 0
    assert heads(remote) == {"main": made.board, "gh-pages": made.pages}
    assert git(remote, "rev-list", "--count", "gh-pages") == "1"


def test_where_the_board_has_all_already_only_the_site_is_pushed(remote: Path, tmp_path: Path) -> None:
    before = heads(remote)["main"]
    made = a_publication(remote, tmp_path / "run", {})
    done = pushed(remote, made)
    assert "main already has these results" in done.output
    assert heads(remote) == {"main": before, "gh-pages": made.pages}


@pytest.mark.parametrize("files", [{"docs/y": "more words"}, {"results/triage.toml": "judged"}, {"scripts/x": "newer"}])
def test_what_lost_to_another_push_is_made_again_on_top_of_it(
    files: dict[str, str], remote: Path, made: Publication, tmp_path: Path
) -> None:
    theirs = push(a_clone(remote, tmp_path / "other"), files)
    done = pushed(remote, made)
    assert (done.code, done.lost) == (0, True)
    assert heads(remote) == {"main": theirs}
    assert "another push to main came first" in done.output
    done = pushed(remote, made, AGAIN="true")
    assert (done.code, done.lost) == (1, False)
    assert 'came first a second time: run the job "make the commits" again, nothing is lost' in done.output
    assert not pushed(remote, a_publication(remote, tmp_path / "again", NEW), AGAIN="true").lost
    assert git(remote, "rev-parse", "main^") == theirs
    assert git(remote, "diff", "--name-only", theirs, "main").splitlines() == list(NEW)


def git_that(folder: Path, at_push: str) -> Path:
    """The programs, with a git that first does something else, once, when it shall push."""
    programs = folder / "other-programs"
    shutil.copytree(only_programs(folder), programs, symlinks=True)
    (programs / "git").unlink()
    (programs / "git").write_text(
        f"#!/bin/bash\nreal={shutil.which('git')}\n"
        f'if [ "$1" = push ] && [ ! -e {folder}/done ]; then : >{folder}/done; {at_push}; fi\nexec "$real" "$@"\n'
    )
    (programs / "git").chmod(0o755)
    return programs


def test_a_push_that_comes_between_is_not_overwritten(remote: Path, made: Publication, tmp_path: Path) -> None:
    other = a_clone(remote, tmp_path / "other")
    theirs = commit(other, {"docs/y": "more words"}, "Somebody else's")
    programs = git_that(made.folder.parent, f'"$real" -C {other} push --quiet origin HEAD:main')
    done = pushed(remote, made, programs)
    assert (done.code, done.lost) == (0, True), done.output
    assert heads(remote) == {"main": theirs}


def test_a_site_that_comes_between_is_not_overwritten(remote: Path, made: Publication, tmp_path: Path) -> None:
    """The results are there then. What is made again finds them, and publishes only the site."""
    theirs = push(a_clone(remote, tmp_path / "other"), {"index.html": "another site"}, "refs/heads/gh-pages")
    done = pushed(remote, made)
    assert (done.code, done.lost) == (0, True), done.output
    assert heads(remote) == {"main": made.board, "gh-pages": theirs}
    again = a_publication(remote, tmp_path / "again", NEW)
    assert not pushed(remote, again, AGAIN="true").lost
    assert heads(remote) == {"main": made.board, "gh-pages": again.pages}


def test_a_push_that_arrived_without_an_answer_is_not_doubled(remote: Path, made: Publication) -> None:
    programs = git_that(made.folder.parent, '"$real" "$@"; echo the remote end hung up unexpectedly; exit 128')
    done = pushed(remote, made, programs)
    assert (done.code, done.lost) == (0, False), done.output
    assert heads(remote) == {"main": made.board, "gh-pages": made.pages}


@pytest.mark.parametrize(
    "refusal",
    [
        "error: atomic push failed for ref refs/heads/main. status: 2",
        "fatal error in commit_refs",
        "error: RPC failed; HTTP 500 curl 22 The requested URL returned error: 500",
        "Internal Server Error",
    ],
)
def test_a_push_that_the_remote_could_not_do_is_tried_again(
    refusal: str, remote: Path, made: Publication, tmp_path: Path
) -> None:
    fails_first(tmp_path, 2, refusal, "exit 0").rename(remote / "hooks/pre-receive")
    done = pushed(remote, made)
    assert done.code == 0, done.output
    assert f"main is at {made.board[:10]} (try 3)" in done.output
    assert heads(remote)["main"] == made.board


@pytest.mark.parametrize(
    ("refusal", "message", "tries"),
    [
        ("error: GH013: Repository rule violations found", "the rules of main forbid this push: docs/SERVICE.md", 1),
        ("The requested URL returned error: 403", "the token may not push to main", 1),
        ("main is closed", "main could not be pushed in 3 tries: run this job again", 3),
    ],
)
def test_a_push_that_is_refused_says_why(
    refusal: str, message: str, tries: int, remote: Path, made: Publication, tmp_path: Path
) -> None:
    fails_first(tmp_path, 99, refusal, "exit 0").rename(remote / "hooks/pre-receive")
    done = pushed(remote, made, PUSH_TRIES="3")
    assert (done.code, done.lost) == (1, False)
    assert f"::error::{message}" in done.output
    assert refusal in done.output
    assert len((tmp_path / "count").read_text().split()) == tries


def forge_board(made: Publication, *commits: dict[str, str]) -> None:
    """Puts other commits in the place of that of the results."""
    work, below = made.folder.parent / "work", made.environment["BELOW"]
    git(work, "checkout", "--quiet", "--detach", below)
    for files in commits:
        made.environment["BOARD"] = commit(work, files, "Results")
    git(work, "update-ref", pages.BOARD, "HEAD")
    bundle(work, made, "board", f"^{below}", pages.BOARD)


def forge_site(made: Publication, files: dict[str, str]) -> None:
    work = made.folder.parent / "work"
    git(work, "checkout", "--quiet", "--orphan", "site")
    made.environment["PAGES"] = commit(work, files, "The site")
    git(work, "update-ref", pages.PAGES, "HEAD")
    bundle(work, made, "pages", pages.PAGES)


def break_bundle(made: Publication, name: str, content: bytes | None) -> None:
    path = made.folder / f"{name}.bundle"
    path.unlink()
    if content is not None:
        path.write_bytes(content)


def name_no_commit(made: Publication, name: str, value: str) -> None:
    made.environment[name] = value


MORE = "changes more than README.md and results/"
REFUSED: list[tuple[Callable[..., None], tuple[Any, ...], str]] = [
    # the packages of the job before cannot change the code, the workflows or the templates
    (forge_board, ({**NEW, "scripts/x": "forged"},), MORE),
    (forge_board, ({**NEW, ".github/workflows/forged.yml": "forged"},), MORE),
    (forge_board, ({**NEW, "README.md.j2": "forged"},), MORE),
    # nor hide a change below their commit
    (forge_board, ({"scripts/x": "forged"}, {**NEW, "scripts/x": FIRST["scripts/x"]}), "is not on top of"),
    # a push with a token of one's own starts the workflows of the branch that is pushed
    (
        forge_site,
        ({".github/workflows/forged.yml": "on: push"},),
        "::error::the site has a folder .github, whose workflows a push could start",
    ),
    (break_bundle, ("board", None), "::error::board.bundle cannot be read"),
    (break_bundle, ("board", b"no bundle"), "::error::board.bundle cannot be read"),
    (break_bundle, ("pages", b""), "::error::pages.bundle cannot be read"),
    *(
        (name_no_commit, (name, value), f"::error::{name} is no commit")
        for name in ("BELOW", "BOARD", "PAGES", "REPLACES")
        for value in ("main", "--all", "HEAD:refs/heads/other", "0" * 39)
    ),
]
"""What the job before may get wrong or forge: how, with what, and the message about it."""


@pytest.mark.parametrize(("forge", "what", "message"), REFUSED)
def test_what_the_job_before_forged_is_not_pushed(
    forge: Callable[..., None], what: tuple[Any, ...], message: str, remote: Path, made: Publication
) -> None:
    forge(made, *what)
    before = heads(remote)
    done = pushed(remote, made)
    assert done.code == 1
    assert message in done.output
    assert heads(remote) == before


def test_the_token_is_only_in_the_environment_of_git(remote: Path, made: Publication, tmp_path: Path) -> None:
    """It is in no argument and in no output. git gets it as the header that GitHub asks for."""
    log = tmp_path / "environment"
    seen = 'printf "%s " "$@" "token=${GITHUB_TOKEN-none}" "$GIT_CONFIG_KEY_0" "$GIT_CONFIG_VALUE_0" '
    programs = git_that(made.folder.parent, f"{seen} >{log}")
    done = pushed(remote, made, programs, GITHUB_TOKEN="secret-token")  # noqa: S106 - made up
    assert done.code == 0, done.output
    assert "secret-token" not in done.output
    assert "token=none http.https://github.com/.extraheader AUTHORIZATION: basic eC1hY2Nlc3M" in log.read_text()
    assert "secret-token" not in log.read_text()


@dataclass(frozen=True)
class Server:
    """An SSH server, as which GitHub is known to git. `key`: a private one that may push."""

    key: str
    environment: dict[str, str]


def a_key(path: Path, passphrase: str = "") -> str:
    """Makes a pair of keys. Returns the private one."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(path)], check=True)
    return path.read_text()


@pytest.fixture
def server(remote: Path, tmp_path: Path) -> Iterator[Server]:
    """OpenSSH's own server for the remote. The checkout knows its key, as it knows that of GitHub."""
    folder, port, program = tmp_path / "ssh", free_port(), sshd()
    assert program, "tests that use the server are marked as needing it"
    folder.mkdir()
    key, _ = a_key(folder / "deploy"), a_key(folder / "host")
    (folder / "authorized_keys").write_text((folder / "deploy.pub").read_text())
    (folder / "config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized_keys\n"
        "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin prohibit-password\n"
    )
    Path("/run/sshd").mkdir(exist_ok=True) if os.geteuid() == 0 else None
    public = (folder / "host.pub").read_text()
    push(a_clone(remote, tmp_path / "other"), {".github/known_hosts": f"[127.0.0.1]:{port} {public}"})
    user = pwd.getpwuid(os.geteuid()).pw_name
    github = f'[url "ssh://{user}@127.0.0.1:{port}{remote}"]\n  insteadOf = ssh://git@github.com/o/r.git\n'
    (folder / "gitconfig").write_text(GIT_CONFIG.read_text() + github)
    running = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: only_address(port) is not None)
        yield Server(key, {"GIT_CONFIG_GLOBAL": str(folder / "gitconfig"), "GITHUB_REPOSITORY": "o/r"})
    finally:
        running.terminate()
        running.wait()


@pytest.mark.needs("sshd")
def test_a_deploy_key_pushes_over_ssh_and_is_in_no_environment_and_in_no_output(
    remote: Path, server: Server, tmp_path: Path
) -> None:
    made = a_publication(remote, tmp_path / "run", NEW)
    made.environment |= server.environment
    log = tmp_path / "environment"
    programs = git_that(made.folder.parent, f'env >{log}; exec "$real" "$@"')
    (programs / "env").symlink_to("/usr/bin/env")
    done = pushed(remote, made, programs, PUBLISH_KEY=server.key, GITHUB_TOKEN="a token")  # noqa: S106
    assert (done.code, done.lost) == (0, False), done.output
    assert heads(remote) == {"main": made.board, "gh-pages": made.pages}
    assert "PRIVATE KEY" not in log.read_text() + done.output
    assert "a token" not in log.read_text() + done.output
    (agent,) = re.findall(r"^SSH_AGENT_PID=(\d+)$", log.read_text(), re.MULTILINE)
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(agent)).wait(timeout=20)


@pytest.mark.needs("sshd")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("another key", "the deploy key may not push to main"),
        ("a passphrase", "the secret PUBLISH_KEY is no private key without a passphrase"),
        ("no key", "the secret PUBLISH_KEY is no private key without a passphrase"),
        ("another server", ".github/known_hosts has another key of the server, or none"),
        ("read only", "the deploy key may not push to main"),
        ("a rule", "the rules of main forbid this push: docs/SERVICE.md"),
    ],
)
def test_a_key_that_may_not_push_is_one_clear_line(
    wrong: str, message: str, remote: Path, server: Server, tmp_path: Path
) -> None:
    """What GitHub says to a key without write access, and where the key is on no bypass list, is its own text."""
    if wrong == "another server":
        push(tmp_path / "other", {".github/known_hosts": "another.example ssh-ed25519 AAAA"})
    key = {"another key": a_key(tmp_path / "b"), "a passphrase": a_key(tmp_path / "c", "secret"), "no key": "x"}
    texts = {"read only": "ERROR: The key you are authenticating with has been marked as read only.", "a rule": "GH013"}
    if wrong in texts:
        fails_first(tmp_path, 99, texts[wrong], "exit 0").rename(remote / "hooks/pre-receive")
    made = a_publication(remote, tmp_path / "run", NEW)
    made.environment |= server.environment
    done = pushed(remote, made, PUBLISH_KEY=key.get(wrong, server.key), PUSH_TRIES="1")
    assert done.code == 1
    assert f"::error::{message}" in done.output
    assert "gh-pages" not in heads(remote)
