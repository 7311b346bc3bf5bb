"""The newest interpreter that a manifest allows, or the name of what is missing."""

from dataclasses import replace
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from restbench.catalog import load_catalog
from restbench.repository import find_repository
from restbench.targets import toolchains
from restbench.targets.toolchains import find_python, missing_tools

FOUND = [(Path(f"/opt/python3.{minor}/bin/python3"), Version(f"3.{minor}.1")) for minor in (9, 11, 13, 12)]


@pytest.fixture(autouse=True)
def interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "_interpreters", lambda: FOUND)


@pytest.mark.parametrize(("allowed", "minor"), [(">=3.11", 13), ("==3.11.*", 11), (">=3.9,<3.13", 12), ("", 13)])
def test_the_newest_that_fits_is_found(allowed: str, minor: int) -> None:
    assert find_python(SpecifierSet(allowed)) == Path(f"/opt/python3.{minor}/bin/python3")


def test_what_is_missing_is_named_with_the_remedy() -> None:
    falcon = load_catalog(find_repository()).entries["python/falcon"]
    future = replace(falcon, manifest=falcon.manifest.model_copy(update={"python": ">=3.99"}))
    assert missing_tools(falcon) is None
    lacking = missing_tools(future)
    assert lacking is not None
    assert lacking.startswith("no Python ")
    assert ">=3.99" in lacking
    assert lacking.endswith("such as by `uv python install`")


def test_a_missing_command_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "find_program", lambda _name: None)
    nginx = load_catalog(find_repository()).entries["reference/nginx"]
    assert missing_tools(nginx) == "nginx is missing: install it with: apt-get install nginx-light"


PACKAGES = {"libcpprest-dev": "2.10.18-1+b1", "ninja-build": "1.11.1-2"}


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        (PACKAGES, None),
        ({"ninja-build": "1.11.1-2"}, "libcpprest-dev missing: install with: apt-get install libcpprest-dev"),
        ({"libcpprest-dev": "2.10.18-1+b1"}, "ninja-build missing: install with: apt-get install ninja-build"),
        (
            {**PACKAGES, "libcpprest-dev": "2.10.19-1"},
            "libcpprest-dev is 2.10.19-1 here, and 2.10.18-1+b1 is locked: install that, or lock anew in packages.txt",
        ),
    ],
)
def test_debian_packages_are_asked_for_in_the_locked_version(
    installed: dict[str, str], said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchains, "_installed_packages", lambda: installed)
    (tmp_path / "packages.txt").write_text("libcpprest-dev=2.10.18-1+b1\n")
    nginx = load_catalog(find_repository()).entries["reference/nginx"]
    language = nginx.language.manifest
    manifest = language.model_copy(
        update={
            "native": language.native.model_copy(update={"lock": "packages.txt"}),
            "toolchain": language.toolchain.model_copy(update={"packages": ["ninja-build"]}),
        }
    )
    cpp = replace(nginx, folder=tmp_path, language=replace(nginx.language, manifest=manifest))
    assert missing_tools(cpp) == said
