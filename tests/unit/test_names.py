"""Names of folders are checked once: images, artifacts, jobs, containers and addresses are called so."""

import shutil
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.catalog.consistency import LONGEST_NAME, folder_mistake
from restbench.ci.matrix_jobs import make_jobs
from restbench.system.repository import Repository
from restbench.targets.docker import image_tag
from tests.made.small import small_repository

WRONG = [
    "My_API",
    "flask.io",
    "a b",
    "-x",
    "x-",
    "a--b",
    "Ünicode",
    "a\n::error::x",
    "A",
    "_x",
    "a" * (LONGEST_NAME + 1),
]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    shutil.copytree(small_repository().root, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Repository(tmp_path)


@pytest.mark.parametrize("name", WRONG)
def test_an_entry_in_a_folder_of_another_kind_is_left_out_and_costs_no_other_anything(
    repository: Repository, name: str
) -> None:
    before = set(load_catalog(repository).entries)
    shutil.copytree(repository.frameworks / "python/falcon", repository.frameworks / "python" / name)
    catalog = load_catalog(repository)
    assert set(catalog.entries) == before
    (mistakes,) = catalog.mistakes.values()
    assert all("\n" not in line for line in mistakes)
    assert len(make_jobs(catalog.ranked)) == len(before) - 1


@pytest.mark.parametrize("name", ["My_API", "solr", "a b"])
def test_so_is_a_language(repository: Repository, name: str) -> None:
    shutil.copytree(repository.frameworks / "rust", repository.frameworks / name)
    catalog = load_catalog(repository)
    assert f"{name}/*" in catalog.mistakes
    assert not [entry for entry in catalog.entries if entry.startswith(name)]


@pytest.mark.parametrize("name", ["apiflask", "a1", "0x", "a" * LONGEST_NAME, "spring-boot-3"])
def test_what_all_of_them_allow_is_allowed(name: str) -> None:
    assert folder_mistake(name) is None


def test_names_that_would_be_joined_to_one_are_reported(repository: Repository) -> None:
    one, other = repository.frameworks / "py", repository.frameworks / "py-thon"
    for language, entry in ((one, "thon-falcon"), (other, "falcon")):
        shutil.copytree(repository.frameworks / "rust", language, ignore=shutil.ignore_patterns("axum", "rocket"))
        manifest = language / "language.toml"
        text = manifest.read_text().replace('"Rust"', f'"{language.name}"').replace('baseline = "axum"', "")
        manifest.write_text(text)
        shutil.copytree(repository.frameworks / "rust/axum", language / entry)
        file = language / entry / "framework.toml"
        file.write_text(file.read_text().replace('"axum"', f'"{language.name} axum"', 1))
    catalog = load_catalog(repository)
    ((entry, (line,)),) = catalog.mistakes.items()
    assert entry == "py-thon/falcon"
    assert "its job and image would be called py-thon-falcon, as those of py/thon-falcon are; rename one" in line
    assert len({image_tag(entry) for entry in catalog.entries.values()}) == len(catalog.entries)
