"""Conan as a further package manager of C++: whose manifest counts, its remote, and the facts that its graph has."""

import runpy
from pathlib import Path
from typing import Any

import httpx
import pytest

from restbench.catalog import Entry, load_catalog
from restbench.errors import UsageError
from restbench.system.repository import find_repository
from restbench.targets.docker import image_of, remote_of

CONAN_FACTS = runpy.run_path(str(find_repository().frameworks / "cpp/conan_facts.py"))
CATALOG = load_catalog(find_repository())
CONAN = [entry for entry in CATALOG.entries.values() if entry.manifest.package.startswith("conan:")]
CROW, RESTINIO = CATALOG.entries["cpp/crow"], CATALOG.entries["cpp/restinio"]


def test_an_entry_is_built_and_locked_by_the_manager_of_its_package() -> None:
    assert CROW.lock() == CROW.folder / "conan.lock"
    assert "conanfile.txt" in {Path(name).name for name in CROW.build_inputs()}
    assert any("conan-environment" in word for command in CROW.native_build for word in command)
    assert RESTINIO.lock("docker") == RESTINIO.folder / "packages.trixie.txt"
    assert not any("conan" in word for command in RESTINIO.native_build for word in command)


@pytest.mark.parametrize("entry", CONAN, ids=lambda entry: entry.id)
def test_conanfiles_and_locks_name_the_same_exact_versions(entry: Entry) -> None:
    lines = (entry.folder / "conanfile.txt").read_text().splitlines()
    required = lines[lines.index("[requires]") + 1 : lines.index("[generators]")]
    asked = dict(line.split("/") for line in required if line)
    assert asked.items() <= entry.locked_versions().items()
    assert next(iter(asked)) == entry.manifest.package.removeprefix("conan:"), "the framework is the first"


def test_the_remote_is_the_one_that_the_user_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONAN_REMOTE", raising=False)
    usual = remote_of(CROW)
    assert usual
    assert usual.address == "conancenter=https://center2.conan.io"
    assert "CONAN_REMOTE" not in image_of(CROW).arguments
    monkeypatch.setenv("CONAN_REMOTE", "mine=https://conan.example.org")
    named = remote_of(CROW)
    assert named
    assert named.address == "mine=https://conan.example.org"
    assert image_of(CROW).arguments["CONAN_REMOTE"] == "mine=https://conan.example.org"
    assert remote_of(RESTINIO) is None
    assert "CONAN_REMOTE" not in image_of(RESTINIO).arguments


@pytest.mark.parametrize("named", ["https://conan.example.org", "mine", "mine=conan.example.org", "=https://a.example"])
def test_a_remote_that_is_no_name_and_url_gets_one_line(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CONAN_REMOTE", named)
    with pytest.raises(UsageError, match=r"CONAN_REMOTE is '.*': write NAME=URL, such as conancenter=https://center2"):
        remote_of(CROW)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx.Response(200), None),
        (httpx.Response(404), None),
        (httpx.Response(503), "answers 503: name another with CONAN_REMOTE=NAME=URL"),
        (httpx.ConnectError("no route"), "cannot be reached (no route): name another with CONAN_REMOTE=NAME=URL"),
        (httpx.ConnectTimeout(""), "cannot be reached (ConnectTimeout): name another with CONAN_REMOTE=NAME=URL"),
    ],
)
def test_doctor_asks_the_remote(
    monkeypatch: pytest.MonkeyPatch, answer: httpx.Response | httpx.HTTPError, reason: str | None
) -> None:
    def get(url: str, **_: object) -> httpx.Response:
        assert url == "https://center2.conan.io"
        if isinstance(answer, httpx.HTTPError):
            raise answer
        return answer

    monkeypatch.delenv("CONAN_REMOTE", raising=False)
    monkeypatch.setattr(httpx, "get", get)
    server = remote_of(CROW)
    assert server
    assert server.unreachable_reason() == reason


def node(name: str | None, licence: object = None, context: str = "host", **more: object) -> dict[str, Any]:
    return {"name": name, "license": licence, "context": context, **more}


GRAPH = {
    "graph": {
        "nodes": {
            "0": node(None, dependencies={"2": {"direct": False}, "1": {"direct": True}}),
            "1": node("restbed", ["AGPL-3.0-or-later", "LicenseRef-CPL"]),
            "2": node("asio", "BSL-1.0"),
            "3": node("cmake", "BSD-3-Clause", context="build"),
        }
    }
}
REVISIONS = {
    "mine": {"restbed/4.8": {"revisions": {"b": {"timestamp": 1700000000.5}, "a": {"timestamp": 1600000000.0}}}}
}


def test_facts_come_from_the_graph_and_the_oldest_revision() -> None:
    assert CONAN_FACTS["facts"](GRAPH, REVISIONS, ["libcurl4=7.88"], "g++ 12.2.0") == {
        "licence": "AGPL-3.0-or-later, LicenseRef-CPL",
        "packages": 3,
        "runtime": "g++ 12.2.0",
        "released": "2020-09-13",
    }


@pytest.mark.parametrize("listed", [{}, {"mine": {"error": "no route"}}])
def test_a_remote_that_does_not_answer_leaves_the_date_open(listed: dict[str, Any]) -> None:
    assert CONAN_FACTS["released"](listed) is None
