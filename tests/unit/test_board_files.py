"""README.md and the pages in results/, as `restbench render` writes them."""

import re
from pathlib import Path

import pytest

from restbench.catalog import Catalog
from restbench.changes.records import CHANGES
from restbench.commands.render import write_board
from restbench.errors import ResultsError
from restbench.render.markdown import padded
from restbench.results.files import readable_results, write_entry
from restbench.results.merge import LATEST
from restbench.system.repository import Repository
from tests.made.boards import a_full_result
from tests.made.records import FALCON, a_run


@pytest.fixture
def repository(tmp_path: Path, catalog: Catalog) -> Repository:
    write_entry(tmp_path / "results" / LATEST, a_full_result(catalog))
    return Repository(tmp_path)


def pages(repository: Repository) -> list[str]:
    return sorted(path.relative_to(repository.results).as_posix() for path in repository.results.rglob("*.md"))


def test_pages_that_the_board_no_longer_has_are_removed(repository: Repository, catalog: Catalog) -> None:
    old = repository.results / "native-quick-local" / "hello.md"
    old.parent.mkdir()
    old.write_text("old")
    write_board(repository, catalog)
    assert pages(repository) == ["README.md", "entries.md", "hello.md", "issue-tracker.md", "solr.md", "workload.md"]
    assert not old.parent.exists()
    assert (repository.results / LATEST / f"{FALCON}.json").is_file()


def test_what_is_current_is_not_written_again(repository: Repository, catalog: Catalog) -> None:
    write_board(repository, catalog)
    before = {path: path.stat().st_ino for path in repository.results.rglob("*.md")}
    write_board(repository, catalog)
    assert {path: path.stat().st_ino for path in repository.results.rglob("*.md")} == before


def test_damaged_changes_cost_the_readme_nothing_else(
    repository: Repository, catalog: Catalog, caplog: pytest.LogCaptureFixture
) -> None:
    (repository.results / CHANGES).write_text("{")
    write_board(repository, catalog)
    assert "## One picture of each suite" in (repository.root / "README.md").read_text()
    assert "line 1 is no change record" in caplog.text


def test_a_damaged_result_is_an_error_where_it_is_not_to_be_left_out(
    repository: Repository, catalog: Catalog, caplog: pytest.LogCaptureFixture
) -> None:
    path = repository.results / LATEST / f"{FALCON}.json"
    path.write_text("{")
    with pytest.raises(ResultsError, match=str(path)):
        write_board(repository, catalog)
    write_board(repository, catalog, readable_results)
    (line,) = caplog.messages
    assert re.fullmatch(rf"{path}: .*; it is left out", line)


def test_files_have_sizes_that_stay_equal_while_their_figures_change(repository: Repository, catalog: Catalog) -> None:
    sizes = []
    for number in range(3):
        run = a_run(f"20260101T000000Z-0000000{number}")
        write_entry(repository.results / LATEST, a_full_result(catalog, FALCON, run, seed=number))
        write_board(repository, catalog)
        files = [*repository.results.rglob("*.md"), repository.root / "README.md"]
        sizes.append({path: path.stat().st_size for path in files})
    assert all(size % 4096 == 0 for size in sizes[0].values())
    assert sizes == [sizes[0]] * 3


@pytest.mark.parametrize("text", ["", "a\n", "ä" * 2045, "a" * 4087, "a" * 4088, "a" * 4096])
def test_padding_fills_a_page_up_to_whole_units_of_bytes(text: str) -> None:
    page = padded(text)
    assert page.startswith(text)
    assert page.endswith("-->\n")
    assert page.removeprefix(text).strip("<!-> \n") == ""
    assert page == padded(text)
    assert len(page.encode()) % 4096 == 0
    assert len(page.encode()) - len(text.encode()) < 4096 + 9
