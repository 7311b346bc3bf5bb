"""Boards with little, with much, and with parts missing: everything that people read is made of each, and fits it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape

import pytest

from restbench.board import Board, Table, build_board
from restbench.catalog import Catalog
from restbench.catalog.manifests import Awaited, ReadmeSelection, Selections
from restbench.render.answer import answer_of
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from restbench.render.report import render_report
from restbench.render.terminal import answer_text
from restbench.results.models import RateKind
from restbench.site.build import build_site
from restbench.site.pages import Content
from tests.made.boards import board_of, certain_of_groups, invented, long_row, long_table
from tests.made.changes import a_record
from tests.made.records import FALCON, MACHINE, a_cell, a_failed_cell, a_run, an_entry, at_rate, beside, own_baseline
from tests.made.small import small_board, small_catalog
from tests.unit.conftest import Golden

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


def without_a_row() -> Board:
    """Flask has no typed variant."""
    typed = [own_baseline(scenario="create-task", variant=variant) for variant in ("raw", "msgspec")]
    return small_board(falcon=typed, flask=a_cell(scenario="create-task"))


def with_names(*names: str) -> Board:
    table = long_table(len(names))
    renamed = [invented(row.entry.name, name) for row, name in zip(table.rows, names, strict=True)]
    return board_of(
        replace(table, rows=[replace(row, entry=entry) for row, entry in zip(table.rows, renamed, strict=True)])
    )


def with_groups(*groups: int) -> Table:
    """A table of rows in these groups."""
    rows = [replace(long_row(number), group=group) for number, group in enumerate(groups)]
    return replace(long_table(0), rows=rows, certain=certain_of_groups(rows))


BOARDS: dict[str, Callable[[], Board]] = {
    "no results": lambda: Board([]),
    "one row": lambda: small_board(falcon=own_baseline()),
    "one failed row": lambda: small_board(falcon=a_failed_cell()),
    "one language": lambda: small_board(falcon=own_baseline(), fastapi=beside(2.0)),
    "one that fails": lambda: small_board(falcon=own_baseline(), fastapi=beside(2.0), sanic=a_failed_cell()),
    "all rows tied": tied,
    "two of three tied": lambda: board_of(with_groups(1, 1, 2)),
    "the last two tied": lambda: board_of(with_groups(1, 2, 2)),
    "none tied": lambda: board_of(long_table(3)),
    "five groups": lambda: board_of(with_groups(1, 1, 2, 3, 4, 5)),
    "200 rows": lambda: board_of(long_table(200)),
    "long and right-to-left names": lambda: with_names("w" * 80, "إطار <b>"),
    "a baseline alone": lambda: small_board(rust__axum=own_baseline("rust/axum")),
    "languages without links": unlinked,
    "without a baseline": without_baseline,
    "a framework without a row": without_a_row,
    "a cell without latency": lambda: small_board(falcon=own_baseline(latency=LATENCY), fastapi=beside(2.0)),
}


def texts(board: Board) -> dict[str, str]:
    """What people read of a board, by name, as it is read."""
    documents = {
        "README.md": render_readme(board, catalog()),
        "report.html": render_report(board, catalog(), answer_of(board)),
        **{f"results/{path}": text for path, text in render_pages(board, catalog()).items()},
    }
    content = Content(board, catalog(), [], [])
    documents |= {path: page.decode() for path, page in build_site(content) if path.endswith((".html", ".svg"))}
    return {name: unescape(text).replace("\\", "") for name, text in documents.items()}


@cache
def texts_of(kind: str) -> dict[str, str]:
    return texts(BOARDS[kind]())


@pytest.mark.parametrize("kind", BOARDS)
def test_everything_that_people_read_is_made_of_it(kind: str) -> None:
    for name, text in texts_of(kind).items():
        without_scripts = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        assert not re.search(r"\b(None|nan|inf|Infinity)\b", without_scripts), name
        assert not re.search(r"\b(rank(s|ed)?|leads|lead)\b", text.partition("<footer")[0]), f"{name}: old words"
    answer_text(answer_of(BOARDS[kind]()), BOARDS[kind]())


FASTEST = {
    "results": (r"results/[hi]\S+\.md", r"^`.*?`: (.*?)\. Sorted"),
    "README": ("README.md", r'alt="Bar chart of .*?: (.*?)" src'),
    "report": ("report.html", r"<p><code>.*?</code>: (.*?)\.</p>"),
    "site": ("index.html", r'<meta name="description" content="[^:"]*: (.*?)"'),
}
"""Where the sentence on who is fastest stands: files, and what they say."""


def seen(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


def sentences(found: dict[str, str]) -> Iterator[str]:
    """The sentences on who is fastest, with where they stand, and what follows from them."""
    where = defaultdict(list)
    for place, (path, pattern) in FASTEST.items():
        for name, text in found.items():
            for sentence in re.findall(pattern, text, re.MULTILINE) if re.fullmatch(path, name) else []:
                where[sentence].append(place)
    yield from (f"{', '.join(places)}: {sentence}" for sentence, places in where.items())
    pages = "".join(found.get(f"results/{suite}.md", "") for suite in ("hello", "issue-tracker"))
    yield from re.findall("Sorted by .*", pages)
    notes = re.findall(r'<ol class="notes">(.*?)</ol>', found["report.html"], re.DOTALL)
    yield from (f"note: {note}" for note in re.findall("<li>(.*?)</li>", "".join(notes)))
    yield from (f"Python: {chain}" for chain in re.findall(r"^\| Python \| ([^|]+) \|$", pages, re.MULTILINE))
    for name, text in found.items():
        for absent in re.findall(r'<p class="absent" (data-reason=".*?")>(.*?)</p>', text, re.DOTALL):
            yield f"{name}: {absent[0]} {seen(absent[1])}"
    front = found["index.html"].partition('<ol class="leading">')[2].partition("</p>")[0]
    for line in re.findall(r"<li>.*?</li>|</ol>.*", front, re.DOTALL):
        yield f"first page: {seen(line)}"
    for name in sorted(found):
        if name.startswith("badges/") and (badge := re.search(r"<title>restbench: (.*?)</title>", found[name])):
            yield f"{name.removeprefix('badges/')}: {badge[1]}"


def test_who_is_fastest(golden: Golden) -> None:
    golden("\n".join("\n  ".join([kind, *sentences(texts_of(kind))]) + "\n" for kind in BOARDS))


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


def test_what_the_rows_are_sorted_by_stands_above_each_table() -> None:
    for make in BOARDS.values():
        page = render_report(make(), catalog())
        assert page.count('<p class="order">Sorted by ') == page.count('<table class="sortable">')


def test_a_framework_that_is_awaited_is_named_with_what_it_waits_for() -> None:
    awaited = Awaited(title="Robyn", language="Python", homepage="https://robyn.tech", waits_for="a release")
    content = Content(small_board(falcon=own_baseline()), replace(catalog(), awaited=[awaited]), [], [])
    page = dict(build_site(content))["index.html"].decode()
    assert "Not on the board yet: Robyn<" in page
    assert "</a> (Python) is not on the board yet: it waits for a release.</li>" in page
