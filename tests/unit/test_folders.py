"""Entries in folders of their own, outside of the checkout."""

import shutil
from pathlib import Path

import pytest

from restbench.catalog import Entry, load_catalog
from restbench.catalog.load import load_with_folders
from restbench.errors import CatalogError, ResultsError, UsageError
from restbench.results.files import write_entry
from restbench.results.merge import merge
from restbench.system.repository import Repository
from restbench.targets.docker import image_of
from tests.made.records import an_entry
from tests.made.small import small_repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The small catalogue, whose Python entries share a file."""
    shutil.copytree(small_repository().root, tmp_path / "checkout", symlinks=True)
    made = Repository(tmp_path / "checkout")
    (made.frameworks / "python/shared").mkdir(exist_ok=True)
    (made.frameworks / "python/shared/source.py").write_text("rows = []\n")
    (made.frameworks / "python/Dockerfile").write_text("FROM debian\n")
    return made


def a_folder(repository: Repository, folder: Path, language: str = 'language = "python"') -> Path:
    """A copy of Flask in that folder."""
    shutil.copytree(repository.frameworks / "python/flask", folder)
    manifest = folder / "framework.toml"
    manifest.write_text(f"{language}\n{manifest.read_text()}".replace("Flask", "Mine"))
    lock = folder / "requirements.txt"
    lock.write_text(lock.read_text().replace("flask-own", folder.name))
    return folder


@pytest.fixture
def folder(repository: Repository, tmp_path: Path) -> Path:
    return a_folder(repository, tmp_path / "elsewhere/mine")


def loaded(repository: Repository, folder: Path) -> Entry:
    catalog, (name,) = load_with_folders(repository, [str(folder)])
    return catalog.entries[name]


def refused(repository: Repository, folder: Path) -> str:
    with pytest.raises((CatalogError, UsageError)) as raised:
        load_with_folders(repository, [str(folder)])
    assert "\n" not in raised.value.message
    return raised.value.message


def test_its_name_is_that_of_its_language_and_of_the_folder(repository: Repository, folder: Path) -> None:
    entry = loaded(repository, folder)
    assert (entry.id, entry.title, entry.origin) == ("python/mine", "Mine", folder)
    assert entry.id not in load_catalog(repository).entries


def test_it_runs_beside_what_its_language_shares_and_the_checkout_stays_as_it_was(
    repository: Repository, folder: Path
) -> None:
    before = sorted(repository.frameworks.rglob("*"))
    entry = loaded(repository, folder)
    assert (entry.folder / "../shared/source.py").read_text() == "rows = []\n"
    assert image_of(entry).context == entry.folder.parent
    assert entry.dockerfile().read_text() == "FROM debian\n"
    assert sorted(repository.frameworks.rglob("*")) == before


def test_it_has_the_hash_that_it_would_have_in_the_checkout(repository: Repository, folder: Path) -> None:
    outside = loaded(repository, folder).files_hash()
    shutil.copytree(folder, repository.frameworks / "python/mine")
    assert load_catalog(repository).entries["python/mine"].files_hash() == outside


def test_the_copy_follows_the_folder(repository: Repository, folder: Path) -> None:
    for name in ("build", "old.py", "src/app.py", ".npmrc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("1")
    copy = loaded(repository, folder).folder
    (folder / "old.py").unlink()
    (folder / "build").chmod(0o755)
    (folder / "src/app.py").write_text("22")
    for left_out in (".git/HEAD", "node_modules/x/index.js", "target/debug"):
        (folder / left_out).parent.mkdir(parents=True)
        (folder / left_out).write_text("1")
    (folder / "round").symlink_to(folder.parent)
    unchanged = (copy / "framework.toml").stat().st_ino
    assert loaded(repository, folder).folder == copy
    files = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert {"build", "src/app.py", ".npmrc", "framework.toml"} <= files
    assert not {path for path in files if path.startswith(("old", ".git", "node_modules", "target", "round"))}
    assert (copy / "src/app.py").read_text() == "22"
    assert (copy / "build").stat().st_mode & 0o111
    assert (copy / "framework.toml").stat().st_ino == unchanged


def test_the_code_of_another_entry_comes_from_the_checkout(repository: Repository, folder: Path) -> None:
    (folder / "app.py").unlink()
    manifest = folder / "framework.toml"
    manifest.write_text(f'code_from = "flask"\n{manifest.read_text()}')
    shutil.copy(repository.frameworks / "python/flask/requirements.txt", folder)
    assert (loaded(repository, folder).code_folder / "app.py").is_file()


def test_a_title_that_another_entry_has_gets_the_name_of_the_folder(repository: Repository, folder: Path) -> None:
    manifest = folder / "framework.toml"
    manifest.write_text(manifest.read_text().replace("Mine", "Flask"))
    assert loaded(repository, folder).title == "Flask (mine)"


def test_a_path_in_the_checkout_means_its_entry(repository: Repository) -> None:
    entry = loaded(repository, repository.frameworks / "python/flask")
    assert (entry.id, entry.origin) == ("python/flask", None)


def test_names_and_patterns_stay_as_they_are(repository: Repository, folder: Path) -> None:
    _, names = load_with_folders(repository, ["rust/*", str(folder), "nosuch", "all"])
    assert names == ["rust/*", "python/mine", "nosuch", "all"]


def test_a_folder_that_is_called_as_an_entry_is_refused(repository: Repository, tmp_path: Path) -> None:
    folder = a_folder(repository, tmp_path / "elsewhere/falcon")
    assert refused(repository, folder) == f"{folder}: another entry is called python/falcon: rename the folder"


def test_two_folders_of_one_name_are_refused(repository: Repository, folder: Path, tmp_path: Path) -> None:
    twin = a_folder(repository, tmp_path / "twin/mine")
    with pytest.raises(UsageError, match="another entry is called python/mine: rename the folder"):
        load_with_folders(repository, [str(folder), str(twin)])
    load_with_folders(repository, [str(folder), f"{folder}/../mine"])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("", 'language: is missing; add the entry\'s language, such as language = "java"'),
        ('language = "pithon"', "language: there is no pithon; did you mean python?"),
        ('langage = "python"', "langage: unknown key; did you mean language?"),
    ],
)
def test_its_manifest_names_the_language(repository: Repository, tmp_path: Path, language: str, said: str) -> None:
    folder = a_folder(repository, tmp_path / "elsewhere/mine", language)
    assert refused(repository, folder) == f"{folder}/framework.toml: {said}"


def test_the_language_of_an_entry_in_the_checkout_is_that_of_its_folder(repository: Repository) -> None:
    manifest = repository.frameworks / "python/flask/framework.toml"
    before, text = load_catalog(repository).entries["python/flask"].files_hash(), manifest.read_text()
    manifest.write_text(f'language = "python"\n{text}')
    assert load_catalog(repository).entries["python/flask"].files_hash() == before
    manifest.write_text(f'language = "rust"\n{text}')
    assert load_catalog(repository).mistakes["python/flask"] == [
        "frameworks/python/flask/framework.toml: language: this folder is one of python; correct the line, or remove it"
    ]


@pytest.mark.parametrize("name", ["shared", "Dockerfile"])
def test_a_folder_cannot_take_the_place_of_what_entries_share(
    repository: Repository, tmp_path: Path, name: str
) -> None:
    (repository.frameworks / "python" / name.lower()).touch()
    folder = a_folder(repository, tmp_path / "elsewhere" / name.lower())
    assert f"its folder must not be called {name.lower()}, because python has a file" in refused(repository, folder)
    assert (repository.frameworks / "python/shared/source.py").is_file()


def test_a_mistake_names_the_users_own_files(repository: Repository, folder: Path) -> None:
    (folder / "requirements.txt").unlink()
    assert refused(repository, folder) == (
        f"{folder}/framework.toml: package: there is no requirements.txt in this folder; "
        f"lock the entry's dependencies: make lock FRAMEWORK={folder}"
    )


def test_what_an_app_says_names_the_users_own_files(repository: Repository, folder: Path) -> None:
    entry = loaded(repository, folder)
    assert entry.in_own_files(f'  File "{entry.folder}/app.py", line 3') == f'  File "{folder}/app.py", line 3'


def test_a_path_without_a_manifest_is_refused(repository: Repository, tmp_path: Path) -> None:
    assert refused(repository, tmp_path) == f"there is no {tmp_path}/framework.toml: name the folder of an entry"


def test_its_results_are_not_merged(repository: Repository, folder: Path, tmp_path: Path) -> None:
    write_entry(tmp_path / "out", an_entry(loaded(repository, folder).id))
    with pytest.raises(ResultsError, match="there is no framework python/mine here; nothing was merged"):
        merge(tmp_path / "out", repository.results, load_catalog(repository))
