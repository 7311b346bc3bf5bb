"""Boards with little, with much, and with parts missing: everything that people read is made of each, and fits it."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest

from restbench.board import Board, Table, build_board
from restbench.catalog import Catalog
from restbench.catalog.manifests import Awaited, ReadmeSelection, Selections
from restbench.render.charts import fitting_config
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from restbench.render.report import render_report
from restbench.render.terminal import print_board
from restbench.results.models import CellResult, EntryResult, RateKind
from restbench.site.build import build_site
from restbench.site.pages import Content
from tests.made.boards import board_of, certain_of_groups, long_row, long_table
from tests.made.changes import a_record
from tests.made.records import FALCON, MACHINE, a_cell, a_failed_cell, a_run, an_entry, at_rate, beside, own_baseline
from tests.made.small import small_board, small_catalog

JOOBY = "java/jooby"
LATENCY = [at_rate(RateKind.COMMON, 1000), at_rate(RateKind.HALF, 5000, requests=500)]


def catalog() -> Catalog:
    selection = ReadmeSelection(summary=["hello/hello_world", "issue-tracker/create-task"])
    return replace(small_catalog(), selections=Selections(readme=selection))


def tied() -> Board:
    names = ("starlette", "sanic", "fastapi", "aiohttp")
    return small_board(falcon=own_baseline(), **{name: beside(1 + n / 100) for n, name in enumerate(names, 1)})


def unlinked() -> Board:
    """Two languages, each measured by a job of its own, and no links."""
    runs = [a_run(f"20260301T093000Z-0000000{number}") for number in range(2)]
    results = [
        an_entry(FALCON, runs[0], [own_baseline(run=runs[0])]),
        an_entry(JOOBY, runs[1], [own_baseline(JOOBY, 20, run=runs[1])]),
    ]
    return build_board(small_catalog(), results)


def without_baseline() -> Board:
    """Starlette takes part in a suite in which its baseline failed."""
    return small_board(falcon=a_failed_cell(), starlette=a_cell(no_baseline="the baseline was not measured: it failed"))


def with_names(*names: str) -> Board:
    rows = [replace(row, title=name) for row, name in zip(long_table(len(names)).rows, names, strict=True)]
    return board_of(replace(long_table(len(names)), rows=rows))


BOARDS: dict[str, tuple[Callable[[], Board], str]] = {
    "no results": (lambda: Board([]), "There are no results yet"),
    "one row": (
        lambda: small_board(falcon=own_baseline()),
        "one row is compared: Falcon, with 10,000 requests",
    ),
    "one failed row": (lambda: small_board(falcon=a_failed_cell()), "no row is compared"),
    "one language": (
        lambda: small_board(falcon=own_baseline(), fastapi=beside(2.0)),
        "Falcon is certainly more than 10 % faster than the other row",
    ),
    "one that fails in the leading scenario": (
        lambda: small_board(falcon=own_baseline(), fastapi=beside(2.0), sanic=a_failed_cell()),
        "Falcon is certainly more than 10 % faster than the other row",
    ),
    "all rows tied": (tied, "all 5 rows share the first place: Falcon, Starlette, Sanic, FastAPI, aiohttp"),
    "none tied": (
        lambda: board_of(long_table(3)),
        "Some framework 000 is certainly more than 10 % faster",
    ),
    "200 rows": (
        lambda: board_of(long_table(200)),
        "Some framework 000 is certainly more than 10 % faster",
    ),
    "long and right-to-left names": (
        lambda: with_names("w" * 80, "إطار <b>"),
        f"{'w' * 80} is certainly more than 10 % faster",
    ),
    "a baseline alone": (
        lambda: small_board(rust__axum=own_baseline("rust/axum")),
        "one row is compared: axum, with 10,000 requests",
    ),
    "languages without links": (unlinked, "Jooby is the first of 2 rows, of which not all can be compared"),
    "without a baseline": (without_baseline, "no row is compared"),
    "a cell without latency": (
        lambda: small_board(falcon=own_baseline(latency=LATENCY), fastapi=beside(2.0)),
        "p99 is left out: it needs 1,000 requests",
    ),
}


def texts(board: Board) -> dict[str, str]:
    """What people read of a board, by name, as it is read."""
    documents = {
        "README.md": render_readme(board, catalog()),
        "report.html": render_report(board, catalog()),
        **{f"results/{path}": text for path, text in render_pages(board, catalog()).items()},
    }
    content = Content(board, catalog(), [], [])
    documents |= {path: page.decode() for path, page in build_site(content) if path.endswith((".html", ".svg"))}
    return {name: unescape(text).replace("\\", "") for name, text in documents.items()}


@pytest.mark.parametrize("kind", BOARDS)
def test_everything_that_people_read_is_made_of_it_and_says_what_is_the_case(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make, told = BOARDS[kind]
    board = make()
    found = texts(board)
    assert sum(told in text for text in found.values()) >= 2
    for name, text in found.items():
        assert not re.search(
            r"\b(None|nan|inf|Infinity)\b", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        ), name
        assert not re.search(r"\b(rank(s|ed)?|leads|lead)\b", text.partition("<footer")[0]), f"{name}: old words"
    print_board(board)
    assert "Traceback" not in capsys.readouterr().err


def test_results_of_two_machines_have_pages_of_their_own_that_lead_to_each_other() -> None:
    larger = a_run(machine=MACHINE.model_copy(update={"machine_class": "local-x86_64-8cpu"}))
    results = [
        an_entry(FALCON, cells=[own_baseline()]),
        an_entry("python/fastapi", cells=[beside(2.0)]),
        an_entry("python/starlette", larger, [own_baseline("python/starlette", run=larger)]),
    ]
    found = texts(build_board(small_catalog(), results))
    folders = ("board", "board/native-quick-local-x86_64-8cpu")
    first, other = (found[f"{folder}/hello/hello_world/index.html"] for folder in folders)
    assert "Falcon" in first
    assert "Starlette" not in first
    assert 'href="../../../board/native-quick-local-x86_64-8cpu/hello/"' in first
    assert "Starlette" in other
    assert 'href="../../../../board/hello/"' in other
    assert "figures of other settings cannot be compared with these" in first


def test_a_removed_framework_leads_nowhere_that_is_not_there() -> None:
    """Its results are kept, and its changes keep their pages."""
    record = a_record("python/removed")
    content = Content(small_board(falcon=own_baseline()), catalog(), [record], [])
    found = {path: page.decode() for path, page in build_site(content) if path.endswith(".html")}
    assert "framework/python/removed/index.html" not in found
    page = found[f"changes/{record.id}/index.html"]
    assert "<h1>python/removed 4.3.0 → 4.4.0: 5.7 % slower (4.7 to 6.6)</h1>" in page
    assert not [path for path, text in found.items() if "framework/python/removed/" in text]


def test_a_broken_framework_is_told_first_with_what_it_answered() -> None:
    found = texts(small_board(falcon=own_baseline(), fastapi=a_failed_cell()))
    page = found["framework/python/fastapi/index.html"]
    assert page.index("Broken") < page.index("Did it get slower?")
    assert "Plain text: answer: GET /hello_world: expected Hello World, got 200 text/plain: Hi" in page
    assert "make verify FRAMEWORK=python/fastapi" in page
    assert "1 with a failure" in found["index.html"]


def with_groups(*groups: int) -> Table:
    """A table of rows in these groups."""
    rows = [replace(long_row(number), group=group) for number, group in enumerate(groups)]
    return replace(long_table(0), rows=rows, certain=certain_of_groups(rows))


def leading(board: Board) -> list[str]:
    """The groups of all languages that the first page begins with, and the line after them."""
    (section,) = re.findall(r'<ol class="leading">(.*?</ol>.*?)</p>', texts(board)["index.html"], re.DOTALL) or [""]
    parts = re.findall(r"<li>(.*?)</li>|</ol>(.*)", section, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", "".join(part)).split()) for part in parts]


def test_the_first_page_begins_with_groups_over_all_languages_and_counts_the_rest() -> None:
    names = [f"Some framework {number:03}" for number in range(6)]
    assert leading(board_of(with_groups(1, 1, 2, 3, 4, 5))) == [
        f"{names[0]} · {names[1]} 100 to 97.0 %",
        f"{names[2]} 94.1 %",
        f"{names[3]} 91.3 %",
        "2 more frameworks in 2 groups. Fastest in each language",
    ]
    assert leading(small_board(falcon=own_baseline(), fastapi=beside(2.0)))[:2] == ["Falcon 100 %", "FastAPI 50.0 %"]


@pytest.mark.parametrize("kind", ["one row", "one failed row", "languages without links", "without a baseline"])
def test_the_first_page_has_no_groups_where_none_can_be_told_apart(kind: str) -> None:
    make, told = BOARDS[kind]
    board = make()
    assert leading(board) == []
    assert f"</code>: {told}" in texts(board)["index.html"]


def test_what_the_rows_are_sorted_by_stands_above_each_table() -> None:
    for make, _ in BOARDS.values():
        page = render_report(make(), catalog())
        assert page.count('<p class="order">Sorted by ') == page.count('<table class="sortable">')


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("one row", "Sorted by speed"),
        ("none tied", "Sorted by speed"),
        ("one failed row", "Sorted by requests per second"),
        ("languages without links", "Sorted by requests per second"),
        ("without a baseline", "Sorted by requests per second"),
    ],
)
def test_rows_are_said_to_be_sorted_by_speed_only_where_speeds_are_compared(kind: str, told: str) -> None:
    assert f'<p class="order">{told}' in texts(BOARDS[kind][0]())["index.html"]


def test_a_framework_without_a_row_is_named_with_the_reason_and_where_it_stands() -> None:
    typed = [
        own_baseline(scenario="create-task", variant=variant, suite="issue-tracker") for variant in ("raw", "msgspec")
    ]
    board = small_board(falcon=typed, flask=a_cell(scenario="create-task", variant="raw", suite="issue-tracker"))
    found = texts(board)["board/issue-tracker/create-task-schema/index.html"]
    assert 'data-reason="no typed variant">No row here (no typed variant): ' in found
    line = re.findall(r'<p class="absent".*?</p>', found, re.DOTALL)
    assert [re.sub(r"<[^>]+>", "", each) for each in line] == [
        "No row here (no typed variant): Flask. It is in JSON in and out, plain."
    ]
    assert 'class="absent"' not in texts(board)["board/issue-tracker/create-task-raw/index.html"]


def test_a_framework_that_is_awaited_is_named_with_what_it_waits_for() -> None:
    awaited = Awaited(title="Robyn", language="Python", homepage="https://robyn.tech", waits_for="a release")
    content = Content(small_board(falcon=own_baseline()), replace(catalog(), awaited=[awaited]), [], [])
    page = dict(build_site(content))["index.html"].decode()
    assert "Not on the board yet: Robyn<" in page
    assert "</a> (Python) is not on the board yet: it waits for a release.</li>" in page


@pytest.mark.parametrize("groups", [(1, 1, 2), (1, 2, 2), (1, 1, 1)])
def test_alt_texts_titles_and_pages_follow_the_groups(groups: tuple[int, ...]) -> None:
    """The same sentence is under the heading of a page, in the alt text of a chart, and in the site."""
    found = texts(board_of(with_groups(*groups)))
    first = groups.count(1)
    told = "is certainly more than 10 % faster" if first == 1 else f"{'all 3' if first == 3 else '2 of 3'} rows share"
    assert told in found["results/issue-tracker.md"]
    assert f'alt="Bar chart of Create a task: {"Some framework 000 " if first == 1 else ""}{told}' in found["README.md"]
    assert told in found["index.html"]
    assert told in found["board/issue-tracker/index.html"]
    assert (
        f'<meta name="description" content="Create a task: {"Some framework 000 " if first == 1 else ""}{told}'
        in (found["board/issue-tracker/create-task/index.html"])
    )


def badges(board: Board) -> dict[str, str]:
    """What the badges say, by address."""
    found = {name: text for name, text in texts(board).items() if name.startswith("badges/") and name.endswith(".svg")}
    return {name: re.findall(r"<title>restbench: (.*?)</title>", text)[0] for name, text in found.items()}


def test_badges_follow_the_groups_of_the_language_and_the_cost() -> None:
    two = small_board(falcon=own_baseline(), fastapi=beside(2.0))
    assert badges(two) == {
        "badges/python/falcon/group.svg": "fastest group in Python",
        "badges/python/fastapi/group.svg": "group 2 of 2 in Python",
        "badges/python/fastapi/cost.svg": "2.00 × the CPU time of Falcon",
    }


def test_a_framework_that_is_alone_in_its_language_is_not_called_the_fastest() -> None:
    assert badges(unlinked()) == {}


def test_the_numbers_of_a_chart_and_the_chain_of_a_language_follow_the_figures() -> None:
    def shown(fastapi: CellResult) -> tuple[list[str], str]:
        (table,) = small_board(falcon=own_baseline(), fastapi=fastapi).sections[0].suites[0].tables
        config = fitting_config(table)
        assert config
        page = texts(build_board(small_catalog(), [an_entry(cells=[own_baseline()]), _of("python/fastapi", fastapi)]))
        return config["data"]["labels"], page["results/hello.md"]

    labels, page = shown(beside(2.0))
    assert labels == ["1  Falcon", "2  FastAPI"]
    assert "Falcon › FastAPI" in page
    labels, page = shown(beside(1.02))
    assert labels == ["1  Falcon", "1  FastAPI"]
    assert "Falcon, FastAPI" in page


def _of(entry: str, cell: CellResult) -> EntryResult:
    return an_entry(entry, cells=[cell])
