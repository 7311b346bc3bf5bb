"""The static site: what every page has, where its links lead, and its files for programs."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from restbench.board import Board
from restbench.catalog import load_catalog
from restbench.catalog.load import titles_of
from restbench.changes.comparison import Cause, CauseKind
from restbench.commands.site import content_of
from restbench.results.files import read_entry
from restbench.site.build import build_site, feed
from restbench.site.data import board_data
from restbench.site.grids import runs_of
from restbench.site.pages import SHOWN_RUNS, Content
from restbench.site.write import Written, write_site
from tests.made.boards import made_board, made_catalog
from tests.made.changes import a_record
from tests.made.history import write_history
from tests.made.records import FALCON, a_run
from tests.made.site import FASTAPI, made_content
from tests.made.world import GAP
from tests.unit.conftest import Golden
from tests.unit.outline import outline

URL = "https://example.org/board/"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """A made board of six entries and 56 weeks."""
    repository = write_history(tmp_path_factory.mktemp("made"), entries=6, weeks=56)
    return replace(content_of(repository, load_catalog(repository).check(), "https://code.example.org/board"), url=URL)


@pytest.fixture(scope="module")
def files(content: Content) -> dict[str, bytes]:
    return dict(build_site(content))


class Page(HTMLParser):
    """What a page refers to, and the ids that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        elif tag == "link":
            self.loads.append(values["href"])
        elif "src" in values:
            self.loads.append(values["src"])


def pages(files: dict[str, bytes]) -> dict[str, Page]:
    return {path: Page(content.decode()) for path, content in files.items() if path.endswith(".html")}


def target_of(page: str, link: str) -> tuple[str, str]:
    """The file that a link leads to, and the id in it. Pages for unknown addresses may be at any depth."""
    assert page != "404.html" or link.startswith(("/board/", "#"))
    parts = urlsplit(urljoin(f"{URL}{page}", link))
    path = unquote(parts.path).removeprefix("/board/")
    return (f"{path}index.html" if path.endswith("/") or not path else path), parts.fragment


SMALL = made_content()
NEWEST, *_, OLDEST = runs_of(SMALL.histories)
SLOWER, NOT_COMPARED = SMALL.records[-2:]

SHOWN = {
    "front": "",
    "suite": "board/issue-tracker/",
    "framework": f"framework/{FASTAPI}/",
    "cells": f"framework/{FASTAPI}/cells/",
    "changes": "changes/",
    "change": f"changes/{SLOWER.id}/",
    "change-not-compared": f"changes/{NOT_COMPARED.id}/",
    "runs": "runs/",
    "run": f"runs/{NEWEST.name}/",
    "run-before": f"runs/{OLDEST.name}/",
}
"""The pages that golden files show."""


@pytest.fixture(scope="module")
def small() -> dict[str, bytes]:
    return dict(build_site(SMALL))


@pytest.mark.parametrize("page", SHOWN)
def test_site_page(page: str, small: dict[str, bytes], golden: Golden) -> None:
    golden(outline(small[f"{SHOWN[page]}index.html"].decode()))


def test_site_without_results(golden: Golden) -> None:
    """One change was compared, and there is no address of the site."""
    files = dict(build_site(Content(Board([]), made_catalog(), [a_record(ratio=1.0)], [])))
    shown = ("", f"framework/{FALCON}/", "changes/", "runs/")
    golden("\n".join(f"--- /{path} ---\n{outline(files[f'{path}index.html'].decode())}" for path in shown))


def test_site_files(small: dict[str, bytes], golden: Golden) -> None:
    """The addresses of all pages and files, which others link to."""
    golden("\n".join(sorted(small)) + "\n")


def test_every_link_and_anchor_resolves(files: dict[str, bytes]) -> None:
    found = pages(files)
    for path, page in found.items():
        for link in [*page.links, *page.loads]:
            if urlsplit(link).scheme:
                continue
            target, anchor = target_of(path, link)
            assert target in files, f"{path} links to {link}"
            if anchor:
                assert anchor in found[target].ids, f"{path} links to {link}"


def test_every_page_has_one_heading_and_a_title_and_loads_nothing_from_another_host(files: dict[str, bytes]) -> None:
    for path, page in pages(files).items():
        assert page.tags.count("h1") == 1, path
        assert "<title>" in files[path].decode()
        assert not [load for load in page.loads if urlsplit(load).scheme or load.startswith("//")], path
        assert "style" not in page.tags
        assert page.tags.count("script") == len([load for load in page.loads if load.endswith(".js")]), path


def test_the_rounds_of_the_newest_run_can_be_downloaded(
    files: dict[str, bytes], content: Content, tmp_path: Path
) -> None:
    for result in content.results:
        path = tmp_path / "result.json"
        path.write_bytes(files[f"downloads/results/{result.entry}.json"])
        assert read_entry(path) == result


def test_texts_from_outside_are_text() -> None:
    bad = "<img src=x onerror=alert(1)> javascript:alert(1) **bold** " + "x" * 2000
    cause = Cause(kind=CauseKind.DEPENDENCY, name=bad[:100], before="<b>", after="]]>")
    record = a_record(version=bad[:100], causes=[cause])
    files = dict(build_site(Content(made_board(), made_catalog(), [record], [], url=URL)))
    for path in (f"changes/{record.id}/index.html", "changes/index.html", "framework/python/falcon/index.html"):
        page = Page(files[path].decode())
        assert "img" not in page.tags or path.startswith("framework/")
        assert b"onerror=alert(1)&gt;" in files[path]
    assert ET.fromstring(files["feeds/changes.xml"]).tag == f"{{{ATOM['a']}}}feed"  # noqa: S314  a file of our own


def test_only_what_changed_is_written(files: dict[str, bytes], tmp_path: Path) -> None:
    assert write_site(tmp_path, files.items()) == Written(len(files), sum(map(len, files.values())), list(files))
    assert write_site(tmp_path, files.items()).changed == []
    assert write_site(tmp_path, {**files, "site.css": b""}.items()).changed == ["site.css"]


def test_the_same_content_gives_the_same_files(content: Content, files: dict[str, bytes]) -> None:
    assert dict(build_site(content)) == files


def test_site_feed(small: dict[str, bytes], golden: Golden) -> None:
    root = ET.fromstring(small[f"feeds/{FASTAPI}.xml"])  # noqa: S314  a file of our own
    ET.indent(root)
    golden(f"{ET.tostring(root, encoding='unicode')}\n")


def test_ids_of_a_feed_do_not_depend_on_figures() -> None:
    record = a_record(ratio=1.06)
    ids = []
    for each in (record, record.model_copy(update={"together": None})):
        root = ET.fromstring(feed("Changes", "feeds/changes.xml", [each], URL, titles_of(made_catalog())))  # noqa: S314  a file of our own
        ids.append([found.text for found in root.findall(".//a:id", ATOM)])
    assert ids[0] == ids[1]


def test_badges_are_pictures_with_a_text_and_documents_for_shields(files: dict[str, bytes], content: Content) -> None:
    found = [path for path in files if path.startswith("badges/") and path.endswith(".svg")]
    assert found
    for entry in content.catalog.ranked:
        assert sum(path.startswith(f"badges/{entry.id}/") for path in found) <= 3
    for path in found:
        picture = ET.fromstring(files[path])  # noqa: S314  a file of our own
        assert (picture.get("aria-label") or "").startswith("restbench: ")
        document = json.loads(files[path.replace(".svg", ".json")])
        assert set(document) == {"schemaVersion", "label", "message", "color"}
        assert document["schemaVersion"] == 1


def test_data_files_have_the_figures_of_the_board_and_of_all_runs(files: dict[str, bytes], content: Content) -> None:
    board = json.loads(files["data/v5/board.json"])
    (section,), (setting,) = content.board.sections, board["settings"]
    tables = [table for suite in section.suites for table in suite.tables]
    assert [table["scenario"] for table in setting["tables"]] == [table.name for table in tables]
    for found, table in zip(setting["tables"], tables, strict=True):
        assert len(found["rows"]) == len(found["certain"]) == len(table.rows)
        assert [scale is not None for scale in found["scales"]] == [row.compared for row in table.rows]
        for values, row in zip(found["rows"], table.rows, strict=True):
            fields = dict(zip(board["fields"], values, strict=True))
            assert (fields["entry"], fields["variant"], fields["json_library"]) == (*row.key, row.cell.json_library)
            for part in ("middle", *(("low", "high") if row.share and row.share.certain else ())):
                known = fields["percent_of_best" if part == "middle" else f"percent_of_best_{part}"]
                assert known == (pytest.approx(100 * getattr(row.share, part), rel=1e-3) if row.share else None)
            assert fields["cpu_us_rounds"] == (pytest.approx(row.cell.solo.cpu_us, rel=1e-3) if row.cpu_us else None)
    assert board["cells"]["issue-tracker/sprint/raw"] == "JSON list of 100 · raw"
    assert setting["suites"]["issue-tracker"] == "Issue tracker"
    for entry, _, _, years, facts in board["frameworks"]:
        assert len(facts) == len(board["facts"])
        documents = [json.loads(files[f"data/v5/series/{entry}/{year}.json"]) for year in years]
        assert years == [2026, 2027]
        assert sum(len(document["runs"]) for document in documents) == 56 - len(GAP)
        assert all(len(cell) == len(d["runs"]) for d in documents for cell in d["cells"].values())


def test_csv_has_the_rows_of_json() -> None:
    files = dict(board_data(made_board(several=True), made_catalog(), {}))
    board = json.loads(files["data/v5/board.json"])
    lines = csv.DictReader(io.StringIO(files["data/v5/board.csv"].decode()))
    for setting in board["settings"]:
        for table in setting["tables"]:
            for row in table["rows"]:
                line = next(lines)
                assert (line["target"], line["scenario"]) == (setting["target"], table["scenario"])
                flat = [" ".join(map(str, value)) if isinstance(value, list) else str(value or "") for value in row]
                assert [line[name] for name in board["fields"]] == flat
    assert next(lines, None) is None


def test_a_text_that_a_spreadsheet_would_run_is_text() -> None:
    (section,) = made_board().sections
    (suite, *_) = section.suites
    (table, *_) = suite.tables
    rows = [replace(row, run=a_run(version="=cmd|'/c calc'!A1")) for row in table.rows]
    board = Board([replace(section, suites=[replace(suite, tables=[replace(table, rows=rows)])])])
    assert b"'=cmd" in dict(board_data(board, made_catalog(), {}))["data/v5/board.csv"]


def test_without_an_address_nothing_names_a_host_of_its_own(files: dict[str, bytes], content: Content) -> None:
    """Feeds and the Markdown of badges have whole addresses, so they are left out."""
    assert {f"{URL}dev/bench/", "feeds/changes.xml"} <= set(pages(files)["index.html"].links)
    without = dict(build_site(replace(content, url=None)))
    assert not [path for path in without if path.startswith("feeds/")]
    for path, page in pages(without).items():
        assert not [link for link in [*page.links, *page.loads] if "feeds/" in link or "dev/bench" in link], path
        assert b"[![restbench" not in without[path]


def test_old_runs_are_folded_and_each_has_a_page(files: dict[str, bytes], content: Content) -> None:
    before, _, folded = files["runs/index.html"].decode().partition("<details>")
    runs = runs_of(content.histories)
    assert before.count('href="../runs/2') == SHOWN_RUNS
    assert f"{len(runs) - SHOWN_RUNS} older runs" in folded
    assert all(f"runs/{run.name}/index.html" in files for run in runs)


def test_what_happened_along_a_line_is_a_list_below_it(files: dict[str, bytes], content: Content) -> None:
    entry = content.records[-1].entry
    page = files[f"framework/{entry}/index.html"].decode()
    marks = re.findall(r'<line class="mark.*?<title>(.*?): (.*?)</title>', page)
    assert marks
    for day, what in marks:
        assert re.search(rf"<li>{day}, version [^:]*: {re.escape(what)}", page), "marks can be read without a mouse"
