"""README.md and the pages in results/, as GitHub gets them, and the README.md of one run."""

import math
import re
from dataclasses import replace
from html import unescape
from itertools import combinations
from urllib.parse import unquote

from markdown_it import MarkdownIt

from restbench.board import Board, Table
from restbench.catalog import Catalog
from restbench.catalog.manifests import Awaited, ReadmeSelection, Selections
from restbench.catalog.profiles import DEFAULT, load_profiles
from restbench.render.grid import MOST_COLUMNS, Column, make_grid
from restbench.render.markdown_pages import render_pages
from restbench.render.readme import render_readme
from tests.made.boards import board_of, board_with, long_row, long_table, made_board, made_catalog

REMARK = "Latency at a fixed rate was not measured: oha was missing; run make tools."


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


def rows_of(text: str, word: str) -> list[list[str]]:
    """Table lines with that word, cells as read."""
    found = [line for table in pipe_tables(text) for line in table if any(word in cell for cell in line)]
    return [[cell.replace("\u2060", "").replace("\u00a0", " ").strip() for cell in line] for line in found]


def test_the_same_board_gives_the_same_bytes() -> None:
    assert all_texts(made_board()) == all_texts(made_board())


def test_running_it_takes_two_commands() -> None:
    start = readme().partition("## Run it")[2].splitlines()[:10]
    assert [line.split("#")[0].strip() for line in start if line.startswith("make ")] == ["make bench", "make test"]


def test_lines_of_a_table_have_as_many_cells_as_its_header() -> None:
    table = replace(long_table(3), rows=[long_row(0), replace(long_row(1), title="a|b", refused="x|y\nz")])
    for board in (made_board(), made_board(oha=None), board_of(table)):
        for text in all_texts(board):
            for lines in pipe_tables(text):
                assert len({len(line) for line in lines}) == 1


def test_no_table_on_github_is_wider_than_eight_columns() -> None:
    for board in (made_board(), made_board(several=True)):
        for text in (readme(board), *pages(board).values()):
            assert max((len(table[0]) for table in pipe_tables(text)), default=0) <= MOST_COLUMNS


def pictures(text: str) -> list[tuple[str, str]]:
    """The text and the URL of each chart."""
    found = re.findall(r'<img width="\d+" alt="(.+?)" src="(https://quickchart\.io/chart\?\S+?)">', text)
    return [(unescape(alt), unescape(url)) for alt, url in found]


def test_a_picture_names_the_fastest() -> None:
    found = pictures(readme())
    assert all(len(url) < 3500 for _, url in found)
    assert re.search(r"Plain text: Falcon is certainly .* 2 other rows, with [\d,]+ requests per second", found[1][0])


def test_pages_say_who_is_fastest_and_have_no_pictures() -> None:
    """Each push to main would add several kilobytes for each picture whose URL changed."""
    text = pages()["hello.md"]
    assert not pictures(text)
    assert re.search(r"`GET /hello_world`: Falcon is certainly .* with [\d,]+ requests per second", text)
    assert rows_of(text, "Falcon › ") == [["Python", "Falcon › Starlette › FastAPI"]]


def test_readme_has_the_chains_and_one_picture_of_each_suite_at_its_top() -> None:
    text = readme()
    assert [alt.partition(":")[0] for alt, _ in pictures(text)] == [
        "Bar chart of JSON list of 100, typed",
        "Bar chart of Plain text",
    ]
    assert text.index("› begins a new group") < text.index("quickchart") < text.index("## Run it")


def test_the_board_has_a_summary_with_a_line_for_each_framework() -> None:
    text = pages()["README.md"]
    header, _, *lines = pipe_tables(text)[0]
    assert [cell.strip() for cell in header] == ["framework", "JSON list of 100, typed", "Plain text"]
    assert len(lines) == 3
    (falcon,) = [line for line in rows_of(text, "[Falcon]") if "%" in line[-1]]
    assert falcon[-1] == "100 % (1)"
    assert {line[1] for line in rows_of(text, "[Starlette]")} >= {"–"}  # it has no schema


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
    assert "(../README.md)" in there["hello.md"]
    assert "(../README.md)" in there[f"{other}/README.md"]


def test_the_services_own_setting_comes_first() -> None:
    (native,) = made_board().sections
    assert not native.setting.is_services
    assert replace(native.setting, target="docker", profile="full").is_services


def test_changes_are_listed_where_there_are_any() -> None:
    changes = make_grid([Column[str]("entry", str)], ["python/falcon"])
    assert "## What changed lately" in render_readme(made_board(), made_catalog(), changes=changes)
    assert "## What changed lately" not in readme()


def test_a_failed_cell_shows_its_reason_as_it_is() -> None:
    text = tables()
    assert "<nothing>" not in text
    rendered = unescape(re.sub(r"<[^>]+>", "", MarkdownIt("commonmark").render(text)))
    assert "got <nothing> & no *list*" in rendered
    assert "expected labels ['a|b']" in rendered
    (failed,) = rows_of(text, "failed<sup>")
    assert failed[1:3] == ["–", "–"]  # it has neither a share nor a group
    assert " · pydantic" in failed[0]


def test_rows_that_are_not_compared_say_why() -> None:
    text = tables()
    assert (
        "placed by its measured throughput, because something else than the app, such as another process, was its limit"
        in text
    )


def test_the_board_says_how_much_the_load_generator_can_drive() -> None:
    text = tables()
    assert re.search(r"The load generator can drive [\d,]+ \([\d,]+–[\d,]+\) requests per second here", text)
    assert "nginx" not in "".join(cell for table in pipe_tables(text) for line in table for cell in line)


def test_rows_of_one_group_have_its_number() -> None:
    rows = [replace(long_row(i), group=group) for i, group in enumerate([1, 1, 2])]
    text = tables(board_of(replace(long_table(0), rows=rows)))
    assert [line[2] for line in rows_of(text, "Some framework")] == ["1", "1", "2"]
    assert "2 of 3 rows share the first place: Some framework 000, Some framework 001" in text


def test_a_row_that_is_certainly_slower_than_the_first_of_its_group_is_marked_and_shares_no_first_place() -> None:
    rows = [replace(long_row(i), group=group, behind=i == 1) for i, group in enumerate([1, 1, 1, 2])]
    board = board_of(replace(long_table(0), rows=rows))
    assert [line[2] for line in rows_of(tables(board), "Some framework")] == ["1", "1▼", "1", "2"]
    assert "2 of 4 rows share the first place: Some framework 000, Some framework 002" in tables(board)
    assert "1▼  Some framework 001" in unquote(pictures(readme(board))[0][1])


def test_without_oha_the_latency_columns_are_gone_and_the_remark_says_why() -> None:
    assert "p50 / p90 / p99 at 1,100 req/s, ms" in tables()
    text = tables(made_board(oha=None))
    assert "p50 / p90 / p99 at" not in text
    assert REMARK in text
    assert REMARK not in tables()


def test_figures_in_a_table_cannot_wrap() -> None:
    (line,) = [line for line in pages()["hello.md"].splitlines() if line.startswith("| [Falcon](https://example.org)")]
    assert re.search(r"\| [\d,]+\u00a0\([\d,]+–\u2060[\d,]+\) \|", line)
    assert "| –\u2060 |" not in tables()


def test_facts_versions_and_features() -> None:
    text = pages()["entries.md"]
    facts = next(t for t in pipe_tables(text) if "memory after start" in "".join(t[0]))
    assert len(facts) == 2 + 3
    assert any("(unmaintained)" in line[0] for line in rows_of(tables(), "Starlette"))
    assert rows_of(text, "AMD EPYC")[0][2] == "app 0–1; load generator 2–3"


def test_minutes_of_a_first_run_are_those_of_its_profile(catalog: Catalog) -> None:
    profile = load_profiles()[DEFAULT]
    seconds = 0.0
    for name in ("falcon", "fastapi", "starlette"):
        entry = catalog.entries[f"python/{name}"]
        scenarios = [entry.scenario(cell) for cell in entry.cells(list(catalog.suites))]
        seconds += sum(profile.planned_seconds(scenario) for scenario in scenarios)
    text = render_readme(Board([]), catalog)
    assert f"on this machine: about {math.ceil(seconds / 60)} minutes" in text


def test_no_results_yet() -> None:
    text = readme(Board([]))
    assert "There are no results yet" in text
    assert "quickchart" not in text
    assert "make bench" in text


def test_an_entry_that_no_run_has_met_changes_nothing() -> None:
    catalog, board = made_catalog(), made_board()
    axum = made_catalog(several=True).entries["rust/axum"]
    larger = replace(catalog, entries={**catalog.entries, axum.id: axum})
    assert render_readme(board, larger) == render_readme(board, catalog)
    tried = replace(board, missed={axum.id: "its job was cancelled"})
    assert "Not measured yet: axum (its job was cancelled)." in render_pages(tried, larger)["README.md"]


def test_readme_says_how_many_frameworks_in_how_many_languages_there_are() -> None:
    assert "3 frameworks in 1 language serve the same requests." in readme()
    assert "6 frameworks in 3 languages serve" in readme(made_board(several=True))


def test_readme_says_when_on_what_and_what_fails() -> None:
    (state,) = re.findall(r"<sub>(.*)</sub>", readme())
    where = "GitHub-hosted runner with 4 CPUs (AMD EPYC 7763 64-Core Processor) and 16 GiB"
    cpus = "each app had 2 CPUs, the load generator 2"
    how = f"measured 2026-11-20 natively (profile quick) on a {where}; {cpus}"
    assert state == f"{how} · 1 with a failure: FastAPI · [versions](results/entries.md)"


def test_names_lead_to_the_entries_or_to_the_site_once_it_is_published() -> None:
    text = readme()
    assert "**[Falcon](frameworks/python/falcon/)** › [FastAPI](frameworks/python/fastapi/)" in text
    assert "[compare two frameworks](results/README.md#summary)" in text
    assert "did a release get slower? No version has been compared yet" in text
    assert "did a release get slower? No comparison saw a difference" in render_readme(
        made_board(), with_summary(made_catalog()), compared=3
    )
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
    certain = frozenset((one.place, other.place) for one, other in combinations(rows, 2))
    text = readme(board_of(replace(long_table(0), rows=rows, certain=certain)), "issue-tracker/create-task")
    header, _, *lines = pipe_tables(text)[0]
    assert [cell.strip() for cell in header] == ["group", "frameworks, the fastest first", "speed, % of the first"]
    assert [line[0].strip() for line in lines] == ["1", "2", "3", "4", "…"]
    assert "[3 more frameworks in 3 more groups](results/issue-tracker.md#create-a-task)" in lines[-1][1]
    assert text.index("more groups") < text.index("Sorted by speed") < text.index("quickchart")


def test_of_a_large_group_readme_names_a_few() -> None:
    rows = [replace(long_row(i), group=1) for i in range(100)]
    text = readme(board_of(replace(long_table(0), rows=rows)), "issue-tracker/create-task")
    (first,) = [line for line in pipe_tables(text)[0] if line[0].strip() == "1"]
    assert first[1].count("[Some framework") == 12
    assert first[1].strip().endswith(" and 88 more")


def test_the_promise_names_its_exception_where_frameworks_lack_pipelining() -> None:
    assert "HTTP pipelining" not in readme().partition("## Fastest")[0]
    lacks = ("pipelining", "refused-comments")
    catalog, board = with_summary(made_catalog()), made_board()
    falcon = catalog.entries["python/falcon"]
    falcon = replace(falcon, manifest=falcon.manifest.model_copy(update={"lacks": list(lacks)}))
    board = board_with(board, falcon)
    text = render_readme(board, catalog)
    promise, _, rest = text.partition("## Fastest")
    assert "HTTP pipelining, which browsers do not use:\n1 framework, marked †, lacks it." in promise
    assert "[a closed list](results/README.md#what-they-lack)" in promise
    assert "**[Falcon](frameworks/python/falcon/)**†" in rest
    page = render_pages(board, catalog)["hello.md"]
    assert "<sub>[no HTTP pipelining](#what-they-lack)</sub>" in page
    assert (
        "- **reads comments in JSON** (Falcon): its JSON library reads comments" in page.partition("What they lack")[2]
    )
    (falcon_row,) = [line for line in rows_of(page, "[Falcon]") if "%" not in line[0] and len(line) > 4]
    assert "pipelining" not in falcon_row[-2], "the bottleneck is another subject"


def test_who_is_not_in_a_table_is_named_with_the_reason_and_where_it_stands() -> None:
    catalog = replace(
        with_summary(made_catalog()),
        awaited=[
            Awaited(title="Django", language="Python", homepage="https://example.org", waits_for="its entry"),
            Awaited(title="Rails", language="Ruby", homepage="https://example.org", waits_for="the language Ruby"),
        ],
    )
    text = render_readme(made_board(), catalog)
    (python,) = rows_of(text, "**Python**")
    assert "*[no typed variant](results/issue-tracker.md#json-list-of-100-plain): Starlette*" in python[1]
    assert "*[not here yet](results/README.md#not-here-yet): Django*" in python[1]
    assert rows_of(text, "Rails (Ruby)")
    pages = render_pages(made_board(), catalog)
    typed = pages["issue-tracker.md"].partition("## JSON list of 100, typed")[2]
    assert "Not in this table: Starlette (no typed variant: [JSON list of 100, plain](issue-tracker.md#" in typed
    assert "- [Rails](https://example.org) (Ruby) waits for the language Ruby." in pages["README.md"]


def test_frameworks_that_are_to_come_are_named_with_what_they_wait_for() -> None:
    crow = Awaited(title="Crow", language="C++", homepage="https://crowcpp.org", waits_for="a package")
    catalog = replace(made_catalog(), awaited=[crow])
    assert "[Crow](https://crowcpp.org) (C++) waits for a package." in render_pages(made_board(), catalog)["README.md"]
    assert "Not yet on the board" not in pages()["README.md"]


def test_a_table_without_figures_has_no_picture() -> None:
    failed = replace(long_row(0), throughput=None, share=None, estimate=None, group=None, failure="did not start")
    board = board_of(Table("sprint", "Sprint", "GET /sprint", [failed]))
    assert not pictures(readme(board))
    assert "failed: did not start" in tables(board)


def test_links_to_documents_lead_from_where_they_stand() -> None:
    assert set(re.findall(r"\]\((\S*?)docs/", tables())) == {"../"}
    assert set(re.findall(r"\]\((\S*?)docs/", readme())) == {""}


def test_sections_and_blocks_are_set_off_by_one_blank_line() -> None:
    texts = [text for board in (made_board(), made_board(oha=None)) for text in all_texts(board)]
    for text in (*texts, readme(Board([]))):
        assert "\n\n\n" not in text
        assert text.endswith("\n")
        assert not re.search(r"[^\n]\n#+ ", text.replace("```sh\n", "").replace("```text\n", ""))
