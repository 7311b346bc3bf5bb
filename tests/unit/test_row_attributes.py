"""What scripts know of the rows of a table."""

from dataclasses import replace

from restbench.board.rows import Table
from restbench.catalog import load_catalog
from restbench.commands.site import content_of
from restbench.render.formats import BEHIND, MISSING
from restbench.render.row_attributes import (
    SLOWER,
    Attributes,
    also_called,
    attributes_of,
    certainties,
    facts_attributes,
)
from restbench.system.repository import find_repository
from tests.made.boards import made_board
from tests.made.records import a_cell, beside, own_baseline
from tests.made.small import small_board


def hello(**cells: float) -> Table:
    """A table with Falcon, and others whose CPU time per request is so many times Falcon's."""
    board = small_board(falcon=own_baseline(), **{name: beside(ratio) for name, ratio in cells.items()})
    return board.sections[0].suites[0].tables[0]


def test_each_row_says_what_is_certain_of_every_other_one() -> None:
    table = hello(starlette=1.02, fastapi=2.0)
    assert [row.entry.id for row in table.rows] == ["python/falcon", "python/starlette", "python/fastapi"]
    assert certainties(table.compared, table.certain) == ["--s", "--s", "ff-"]
    found = attributes_of(table)
    assert [each["against"] for each in found] == ["--s", "--s", "ff-"]
    assert [each["place"] for each in found] == ["0", "1", "2"]


def test_groups_are_those_among_all_rows_the_best_ones_and_the_language() -> None:
    found = attributes_of(hello(starlette=1.02, fastapi=2.0))
    assert [each["groups"] for each in found] == ["1 1 1", "1 1 1", "2 2 2"]


def test_a_row_that_is_not_the_best_of_its_framework_is_extra() -> None:
    table = hello(fastapi=2.0)
    rows = [*table.rows, replace(table.rows[1], cell=a_cell(variant="pydantic"), estimate=None, group=None)]
    found = attributes_of(replace(table, rows=rows))
    assert [each.get("extra") for each in found] == [None, None, "yes"]
    assert "place" not in found[2], "it is not compared"


def test_readers_find_a_row_by_its_language_its_server_and_other_names_of_the_language() -> None:
    section = made_board().sections[0]
    for row, attributes in zip(section.facts, facts_attributes(section.facts), strict=True):
        language = row.entry.language.manifest
        for word in (row.entry.id, language.title, row.server, row.entry.manifest.interface, *language.also_called):
            assert all(part in attributes["search"] for part in word.casefold().split())


def test_readers_find_a_row_by_other_names_of_the_framework() -> None:
    (row, *_) = made_board().sections[0].facts
    manifest = row.entry.manifest.model_copy(update={"also_called": ["Kotlin"]})
    (found,) = facts_attributes([replace(row, entry=replace(row.entry, manifest=manifest))])
    assert "kotlin" in found["search"].split()


def test_languages_say_their_first_other_name() -> None:
    (row, *_) = made_board().sections[0].facts
    manifest = row.entry.language.manifest.model_copy(
        update={"title": "TypeScript", "also_called": ["JavaScript", "Node"]}
    )
    entry = replace(row.entry, language=replace(row.entry.language, manifest=manifest))
    assert also_called([row]) == {}
    assert also_called([row, replace(row, entry=entry)]) == {"TypeScript": "JavaScript"}


def unmarked(rows: list[Attributes], among: int, prefix: str) -> list[str]:
    """The rows whose mark is not what a tick at the first row of their group shows.

    `among`: which of their groups is shown. `prefix`: that of what is certain about them.
    """
    firsts: dict[str, Attributes] = {}
    found = []
    for row in rows:
        group = row["groups"].split()[among]
        first = firsts.setdefault(group.removesuffix(BEHIND), row)
        if group != MISSING and first is not row:
            slower = first[f"{prefix}against"][int(row[f"{prefix}place"])] == SLOWER
            found += [row["entry"]] if slower != group.endswith(BEHIND) else []
    return found


def test_ticks_and_groups_of_the_board_agree_whichever_rows_are_shown() -> None:
    """A row that is certainly slower than the first of its group has a mark in it, and no other row has one."""
    repository = find_repository()
    board = content_of(repository, load_catalog(repository)).board
    compared = 0
    for suite in (suite for section in board.sections for suite in section.suites):
        for table in suite.tables:
            rows = attributes_of(table)
            best = [row for row in rows if "extra" not in row]
            assert unmarked(rows, 0, "") == unmarked(best, 1, "") == [], table.title
            for language in {row["language"] for row in best}:
                own = [row for row in best if row["language"] == language]
                assert unmarked(own, 2, "own-") == [], f"{table.title}: {language}"
            compared += len(table.compared)
    assert compared > 0
