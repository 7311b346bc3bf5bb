"""README.md and the pages in results/, as GitHub gets them."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from itertools import combinations
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

from restbench.board import Board, Table
from restbench.board.summary import build_summary
from restbench.catalog import Catalog
from restbench.catalog.load import titles_of
from restbench.catalog.manifests import ReadmeSelection, Selections
from restbench.catalog.profiles import DEFAULT, load_profiles
from restbench.changes.summary import newest_changes
from restbench.changes.trend_pictures import trend_pictures
from restbench.measure.duration import planned_seconds, seconds_beside_load
from restbench.render.grid import MOST_COLUMNS
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from tests.made.boards import WHEN, board_of, invented, long_row, long_table, made_board, made_catalog
from tests.made.changes import a_cell_cost, a_record
from tests.made.shown import shown_board, shown_catalog
from tests.unit.conftest import Golden

PICTURE = re.compile(r'<img width="\d+" alt="(.+?)" src="(https://quickchart\.io/chart\?\S+?)">')


def test_readme(golden: Golden) -> None:
    """Pictures are shown as the figures in their addresses."""
    board, catalog = shown_board(), shown_catalog()
    slower = {"hello/hello_world": a_cell_cost(1.06)}
    days = [WHEN - timedelta(weeks=number) for number in (3, 2, 1)]
    records = [a_record("rust/rocket", at=days[1], target="native", cells=slower)]
    (section,) = board.sections
    summary = build_summary(section, ["hello/hello_world"])
    text = render_readme(
        board,
        catalog,
        newest_changes(records, titles_of(catalog)),
        trend_pictures(section, summary, [day.date() for day in days], records),
        len(records),
    )
    golden(PICTURE.sub(lambda found: "\n".join(drawn(found[1], unescape(found[2]))), text))


def drawn(alt: str, url: str) -> Iterator[str]:
    """A picture's text and axis, and for each of its labels the figures of all datasets."""
    config = json.loads(parse_qs(urlsplit(url).query)["c"][0])
    data = config["data"]
    yield f"[picture: {alt}]"
    yield f"  {' / '.join(config['options']['scales']['x']['title']['text'])}"
    yield f"  {' | '.join(dataset['label'] for dataset in data['datasets'])}"
    for place, label in enumerate(data["labels"]):
        yield f"  {label}: {' | '.join(str(dataset['data'][place]) for dataset in data['datasets'])}"


@pytest.mark.parametrize("page", ["README", "issue-tracker", "entries"])
def test_results(page: str, golden: Golden) -> None:
    golden(render_pages(shown_board(), shown_catalog())[f"{page}.md"])


SUMMARY = ["issue-tracker/sprint-schema", "hello/hello_world"]


def with_summary(catalog: Catalog, *tables: str) -> Catalog:
    return replace(catalog, selections=Selections(readme=ReadmeSelection(summary=[*tables, *SUMMARY])))


def readme(board: Board | None = None, *tables: str) -> str:
    return render_readme(board or made_board(), with_summary(made_catalog(), *tables))


def pages(board: Board | None = None) -> dict[str, str]:
    return render_pages(board or made_board(), with_summary(made_catalog()))


def tables(board: Board | None = None) -> str:
    """All pages one after another."""
    return "\n".join(pages(board).values())


def all_texts(board: Board) -> list[str]:
    return [readme(board), *pages(board).values()]


def pipe_tables(text: str) -> list[list[list[str]]]:
    """All pipe tables: lines of cells."""
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    return [[re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()] for block in blocks]


def test_lines_of_a_table_have_as_many_cells_as_its_header() -> None:
    barred = replace(long_row(1), entry=invented("bar", "a|b"), refused="x|y\nz")
    table = replace(long_table(3), rows=[long_row(0), barred])
    for board in (made_board(), made_board(oha=None), board_of(table)):
        for text in all_texts(board):
            for lines in pipe_tables(text):
                assert len({len(line) for line in lines}) == 1


def test_no_table_on_github_is_wider_than_eight_columns() -> None:
    for board in (made_board(), made_board(several=True)):
        for text in all_texts(board):
            assert max((len(table[0]) for table in pipe_tables(text)), default=0) <= MOST_COLUMNS


def test_there_is_a_page_for_each_suite_and_setting_and_links_lead_to_them() -> None:
    (first, *_) = made_board().sections
    board = Board([first, replace(first, setting=replace(first.setting, target="docker"))])
    text, there = readme(board), pages(board)
    other = "docker-quick-github-hosted-x86_64-4cpu"
    names = ("README", "entries", "hello", "issue-tracker")
    assert sorted(there) == sorted([*(f"{name}.md" for name in names), *(f"{other}/{name}.md" for name in names)])
    assert set(re.findall(r"results/(\S+?\.md)", text)) == {"README.md", "entries.md", "hello.md", "issue-tracker.md"}
    linked = re.findall(r"\]\((\S+?\.md)\)", there["README.md"])
    assert set(linked) == {"hello.md", "issue-tracker.md", "entries.md", f"{other}/README.md", "../docs/METHODOLOGY.md"}
    assert "(../README.md)" in there[f"{other}/README.md"]
    assert set(re.findall(r"\]\((\S*?)docs/", there[f"{other}/hello.md"])) == {"../../"}


def test_frameworks_that_only_another_setting_has_are_named_above_the_first_table() -> None:
    """As while a board is measured anew on another machine, language by language."""
    (section,) = made_board(several=True).sections
    python = [facts for facts in section.facts if facts.language == "Python"]
    others = [facts for facts in section.facts if facts.language != "Python"]
    first, second = replace(section, facts=python), replace(section, setting=replace(section.setting, target="docker"))
    text = readme(Board([first, replace(second, facts=others)]))
    languages = ", ".join(sorted({facts.language for facts in others}))
    page = "results/docker-quick-github-hosted-x86_64-4cpu/README.md"
    named = f"{len(others)} more frameworks ({languages}) were measured under [another setting]({page}), so they "
    assert named in text
    assert text.index(named) < text.index("## ")
    assert "another setting" not in readme(Board([section, second])), "the first section has them, too"


def test_the_services_own_setting_comes_first() -> None:
    (native,) = made_board().sections
    assert not native.setting.is_services
    assert replace(native.setting, target="docker", profile="full").is_services


def test_the_reason_of_a_failed_cell_is_read_as_it_is() -> None:
    rendered = unescape(re.sub(r"<[^>]+>", "", MarkdownIt("commonmark").render(tables())))
    assert "expected labels ['a|b'], got <nothing> & no *list*" in rendered


def test_a_row_that_is_certainly_slower_than_the_first_of_its_group_is_marked_and_shares_no_first_place() -> None:
    rows = [replace(long_row(i), group=group, behind=i == 1) for i, group in enumerate([1, 1, 1, 2])]
    board = board_of(replace(long_table(0), rows=rows))
    assert re.findall(r"^\| \[Some framework.*?\| (\d▼?) \|", tables(board), re.MULTILINE) == ["1", "1▼", "1", "2"]
    assert "2 of 4 rows share the first place: Some framework 000, Some framework 002" in tables(board)
    assert "1▼  Some framework 001" in unquote(readme(board))


def test_without_oha_the_latency_columns_are_gone_and_the_remark_says_why() -> None:
    text = tables(made_board(oha=None))
    assert "p50 / p90 / p99 at" not in text
    assert "Latency at a fixed rate was not measured: oha was missing; run make tools." in text


def test_figures_in_a_table_cannot_wrap() -> None:
    (line,) = [line for line in pages()["hello.md"].splitlines() if line.startswith("| [Falcon](https://example.org)")]
    assert re.search(r"\| [\d,]+\u00a0\([\d,]+–\u2060[\d,]+\) \|", line)
    assert "| –\u2060 |" not in tables()


def test_minutes_of_a_first_run_are_those_of_its_profile(catalog: Catalog) -> None:
    profile = load_profiles()[DEFAULT]
    seconds = 0.0
    loads = cells = 0
    for name in ("falcon", "fastapi", "starlette"):
        entry = catalog.entries[f"python/{name}"]
        scenarios = [entry.scenario(cell) for cell in entry.cells(list(catalog.suites))]
        seconds += sum(planned_seconds(profile, scenario) for scenario in scenarios)
        loads += sum(map(profile.loads_of, scenarios))
        cells += sum(scenario.loaded for scenario in scenarios)
    seconds += seconds_beside_load(loads, cells, apps=3)
    text = render_readme(Board([]), catalog)
    assert f"on this machine: about {math.ceil(seconds / 60)} minutes" in text


def test_an_entry_that_no_run_has_met_changes_nothing() -> None:
    catalog, board = made_catalog(), made_board()
    axum = made_catalog(several=True).entries["rust/axum"]
    larger = replace(catalog, entries={**catalog.entries, axum.id: axum})
    assert render_readme(board, larger) == render_readme(board, catalog)


def test_what_is_not_the_case_is_not_written() -> None:
    text = readme()
    assert "3 frameworks in 1 language serve the same requests." in text
    assert "did a release get slower? No version has been compared yet" in text
    for words in ("HTTP pipelining", "What changed lately", "not here yet", "more framework"):
        assert words not in text
    assert "Not yet on the board" not in pages()["README.md"]
    assert "No comparison saw a difference" in render_readme(made_board(), made_catalog(), compared=3)
    nothing = readme(Board([]))
    assert "There are no results yet" in nothing
    assert "quickchart" not in nothing


def test_names_lead_to_the_site_once_it_is_published() -> None:
    catalog = with_summary(made_catalog())
    default = ["python/falcon", "python/fastapi"]
    update = {"site": "https://example.org/board/", "default": default}
    catalog = replace(catalog, selections=catalog.selections.model_copy(update=update))
    text = render_readme(made_board(), catalog)
    assert "[Falcon](https://example.org/board/framework/python/falcon/)" in text
    assert "[did a release get slower?](https://example.org/board/changes/)" in text
    assert "[compare two frameworks](https://example.org/board/compare/?f=python/falcon,python/fastapi)" in text


def test_readme_begins_with_the_groups_over_all_languages_and_counts_the_others() -> None:
    rows = [replace(long_row(i), group=1 + i) for i in range(7)]
    certain = frozenset((one.key, other.key) for one, other in combinations(rows, 2))
    text = readme(board_of(replace(long_table(0), rows=rows, certain=certain)), "issue-tracker/create-task")
    _, _, *lines = pipe_tables(text)[0]
    assert [line[0].strip() for line in lines] == ["1", "2", "3", "4", "…"]
    assert "[3 more frameworks in 3 more groups](results/issue-tracker.md#create-a-task)" in lines[-1][1]


def test_of_a_large_group_readme_names_a_few() -> None:
    rows = [replace(long_row(i), group=1) for i in range(100)]
    text = readme(board_of(replace(long_table(0), rows=rows)), "issue-tracker/create-task")
    (first,) = [line for line in pipe_tables(text)[0] if line[0].strip() == "1"]
    assert first[1].count("[Some framework") == 12
    assert first[1].strip().endswith(" and 88 more")


def test_a_table_without_figures_has_no_picture() -> None:
    failed = replace(long_row(0), throughput=None, share=None, estimate=None, group=None, failure="did not start")
    board = board_of(Table("sprint", "Sprint", "GET /sprint", [failed]))
    assert "quickchart" not in readme(board)
    assert "failed: did not start" in tables(board)


def test_sections_and_blocks_are_set_off_by_one_blank_line() -> None:
    texts = [text for board in (made_board(), made_board(oha=None)) for text in all_texts(board)]
    shown = render_pages(shown_board(), shown_catalog()).values()
    for text in (*texts, *shown, readme(Board([]))):
        assert "\n\n\n" not in text
        assert re.search(r"[^\n]\n$", text)
        assert not re.search(r"[^\n]\n#+ ", text.replace("```sh\n", "").replace("```text\n", ""))
