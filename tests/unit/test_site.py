"""The static site: what every page has, where its links lead, and its files for programs."""

import csv
import io
import json
import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest

from restbench.board import Board
from restbench.catalog import Cell, load_catalog
from restbench.catalog.titles import titles_of
from restbench.changes.records import ChangeRecord, uncompared_record
from restbench.commands.site import content_of
from restbench.compare.models import Cause, CauseKind
from restbench.render.labels import LACKING
from restbench.results.files import read_entry
from restbench.site.build import build_site
from restbench.site.downloads import COLUMNS, downloads, rows_of
from restbench.site.feeds import feed
from restbench.site.grids import run_grid, runs_of
from restbench.site.pages import SHOWN_RUNS, Content
from restbench.site.points import by_entry, trends_of
from restbench.site.rounds import raw_grid
from restbench.site.write import Written, write_site
from tests.made.boards import made_board, made_catalog
from tests.made.changes import a_record
from tests.made.history import write_history
from tests.made.world import GAP

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


def measured_cells(content: Content, name: str) -> list[Cell]:
    entry = content.catalog.entries[name]
    return [cell for cell in entry.cells(list(content.catalog.suites)) if entry.scenario(cell).loaded]


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
    """The file that a link leads to, and the id in it. Links of the page for unknown addresses have the whole path."""
    if page == "404.html":
        assert link.startswith(("/board/", "#"))
        link = link.replace("/board/", "./", 1)
    parts = urlsplit(link)
    folder = page.rpartition("/")[0]
    steps: list[str] = folder.split("/") if folder else []
    for step in unquote(parts.path).split("/"):
        if step == "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    path = "/".join(steps)
    if not parts.path:
        return page, parts.fragment
    is_folder = parts.path.endswith(("/", "..")) or parts.path in (".", "./")
    return (f"{path}/index.html".lstrip("/") if is_folder else path), parts.fragment


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


def test_nothing_is_loaded_from_another_host_and_no_script_is_in_a_page(files: dict[str, bytes]) -> None:
    for path, page in pages(files).items():
        assert not [load for load in page.loads if urlsplit(load).scheme or load.startswith("//")], path
        assert "style" not in page.tags
        assert page.tags.count("script") == len([load for load in page.loads if load.endswith(".js")]), path


def test_every_page_has_one_heading_and_a_title(files: dict[str, bytes]) -> None:
    for path, page in pages(files).items():
        assert page.tags.count("h1") == 1, path
        assert "<title>" in files[path].decode()


def test_each_kind_of_page_is_there(files: dict[str, bytes], content: Content) -> None:
    entries = [entry.id for entry in content.catalog.ranked]
    wanted = {
        "index.html",
        "404.html",
        "board/hello/index.html",
        "board/hello/hello_world/index.html",
        "board.html",
        "trends/index.html",
        "badges/index.html",
        "changes/index.html",
        "runs/index.html",
        "method/index.html",
        "download/index.html",
        *(f"framework/{entry}/index.html" for entry in entries),
        *(f"changes/{record.id}/index.html" for record in content.records),
        *(f"feeds/{entry}.xml" for entry in entries),
    }
    assert wanted <= files.keys()


def test_a_framework_shows_figures_trends_and_changes(files: dict[str, bytes], content: Content) -> None:
    baselines = {entry.language.manifest.baseline for entry in content.catalog.ranked}
    change = next(record for record in content.records if record.entry.partition("/")[2] not in baselines)
    text = files[f"framework/{change.entry}/index.html"].decode()
    assert text.count('<svg class="trend"') == 1, "one for all cells together"
    cells = files[f"framework/{change.entry}/cells/index.html"].decode()
    assert cells.count('<svg class="trend"') == len(measured_cells(content, change.entry))
    assert f'href="../../../changes/{change.id}/"' in text
    assert f"make bench FRAMEWORKS={change.entry}" in text
    assert "relative cost" in text


def test_a_run_links_to_the_entries_that_have_a_page(content: Content) -> None:
    """The reference has none, nor has an entry that was removed."""
    grid = run_grid(runs_of(content.histories)[0], "", titles_of(content.catalog), {"aster/made-04"})
    linked = [line.cells[0] for line in grid.lines if line.cells[0].href]
    assert [(cell.text, cell.href) for cell in linked] == [("Made 4", "framework/aster/made-04/")]


def test_the_newest_run_has_its_rounds_to_download_and_says_which_were_refused(
    files: dict[str, bytes], content: Content, tmp_path: Path
) -> None:
    newest, *_, oldest = runs_of(content.histories)
    for result in content.results:
        path = tmp_path / "result.json"
        path.write_bytes(files[f"downloads/results/{result.entry}.json"])
        assert read_entry(path) == result
    result = content.results[0]
    cell = result.cells[0].model_copy(update={"refused": {"others used its CPUs": 2}})
    told = raw_grid({cell.run}, [result.model_copy(update={"cells": [cell]})], "", titles_of(content.catalog))
    assert told
    assert "2 × others used its CPUs" in [part.text for part in told.lines[0].cells]
    assert "downloads/results/" in files[f"runs/{newest.name}/index.html"].decode()
    assert "history of results/latest" in files[f"runs/{oldest.name}/index.html"].decode()


def test_a_board_has_the_rounds_of_its_rows(files: dict[str, bytes], content: Content) -> None:
    suite = content.board.sections[0].suites[0]
    tables = json.loads(files[f"board/{suite.name}/rounds.json"])["tables"]
    for table in suite.tables:
        rows = {(entry, variant): (rates, costs) for entry, _, variant, rates, costs in tables[table.name]}
        for row in table.rows:
            rates, costs = rows[row.place]
            assert rates == pytest.approx(row.solo.throughput, rel=1e-3)
            assert costs == pytest.approx(row.solo.cpu_us, rel=1e-3)


def test_pages_without_results_make_sense() -> None:
    empty = dict(build_site(Content(Board([]), made_catalog(), [], [])))
    assert b"There are no results yet." in empty["index.html"]
    assert b"There was no run yet." in empty["runs/index.html"]
    assert b"It has no figures yet." in empty["framework/python/falcon/index.html"]
    assert b"No change has been compared yet" in empty["changes/index.html"]


@pytest.mark.parametrize(
    ("ratios", "said"),
    [([1.0], "<p>1 change was"), ([1.0, 1.0], "<p>2 changes were"), ([1.0, 1.06], "<p>1 more change was")],
)
def test_changes_without_a_difference_are_counted_once(ratios: list[float], said: str) -> None:
    records = [a_record(ratio=ratio, number=number) for number, ratio in enumerate(ratios, 1)]
    page = dict(build_site(Content(made_board(), made_catalog(), records, [])))["changes/index.html"].decode()
    assert said in page
    assert page.count("no difference that could be seen") == 1


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


def test_a_feed_is_valid_and_its_ids_do_not_depend_on_figures() -> None:
    record = a_record(ratio=1.06)
    corrected: ChangeRecord = record.model_copy(update={"together": None})
    ids = []
    for each in (record, corrected):
        root = ET.fromstring(feed("Changes", "feeds/changes.xml", [each], URL, titles_of(made_catalog())))  # noqa: S314  a file of our own
        for required in ("a:id", "a:title", "a:updated", "a:author/a:name", "a:entry/a:updated", "a:entry/a:title"):
            assert root.find(required, ATOM) is not None
        links = [link.get("href", "") for link in root.findall(".//a:link", ATOM)]
        assert all(link.startswith(URL) for link in links)
        ids.append([each.text for each in root.findall(".//a:id", ATOM)])
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


def test_csv_and_json_have_the_figures_of_the_board() -> None:
    board = made_board(several=True)
    rows = rows_of(board)
    tables = [table for section in board.sections for suite in section.suites for table in suite.tables]
    assert len(rows) == sum(len(table.rows) for table in tables)
    shares = [100 * row.share.middle if row.share else None for table in tables for row in table.rows]
    assert [row["percent_of_best"] for row in rows] == shares
    found = downloads(board)
    assert json.loads(found["downloads/board.json"])["rows"] == rows
    read = list(csv.DictReader(io.StringIO(found["downloads/board.csv"].decode())))
    assert [list(line) for line in read] == [list(COLUMNS)] * len(rows)
    assert [line["percent_of_best"] for line in read] == ["" if share is None else str(share) for share in shares]


def test_a_text_that_a_spreadsheet_would_run_is_text() -> None:
    (section,) = made_board().sections
    (suite, *_) = section.suites
    (table, *_) = suite.tables
    rows = [replace(row, version="=cmd|'/c calc'!A1") for row in table.rows]
    board = Board([replace(section, suites=[replace(suite, tables=[replace(table, rows=rows)])])])
    assert b"'=cmd" in downloads(board)["downloads/board.csv"]


def test_data_files_have_the_figures_of_the_board_and_of_all_runs(files: dict[str, bytes], content: Content) -> None:
    board = json.loads(files["data/v4/board.json"])
    (section,) = content.board.sections
    tables = [table for suite in section.suites for table in suite.tables]
    assert [table["name"] for table in board["tables"]] == [table.name for table in tables]
    first = board["tables"][0]["rows"][0]
    best = tables[0].rows[0]
    assert board["frameworks"][first[0]][0] == best.entry
    assert best.share is not None
    assert first[1:4] == [best.variant, best.json_library, pytest.approx(100 * best.share.middle, rel=1e-3)]
    second = tables[0].rows[1].share
    assert second
    assert board["tables"][0]["rows"][1][4:6] == pytest.approx([100 * second.low, 100 * second.high], rel=1e-3)
    for found, table in zip(board["tables"], tables, strict=True):
        assert len(found["rows"]) == len(table.rows), "all variants, as those that two frameworks share are compared"
        assert len(found["certain"]) == len(found["scales"]) == len(table.compared)
    assert board["cells"]["issue-tracker/sprint/raw"] == "JSON list of 100 · raw"
    assert board["suites"]["issue-tracker"] == "Issue tracker"
    for entry, _, _, years, facts in board["frameworks"]:
        assert len(facts) == len(board["facts"])
        documents = [json.loads(files[f"data/v4/series/{entry}/{year}.json"]) for year in years]
        assert years == [2026, 2027]
        assert sum(len(document["runs"]) for document in documents) == 56 - len(GAP)
        assert all(len(cell) == len(d["runs"]) for d in documents for cell in d["cells"].values())


def test_a_new_version_of_the_baseline_is_a_mark_in_the_trends_of_its_language(content: Content) -> None:
    measured = by_entry(content.histories)
    ((place, own),) = [item for item in measured.items() if item[0][0] == "aster/made-04"]
    (trend, *_) = trends_of(own, titles_of(content.catalog))
    told = [point.changed for point in trend.points if point.changed]
    bumps = [record for record in content.records if record.entry == "aster/made-01"]
    assert place[0] in {entry.id for entry in content.catalog.ranked}
    assert sum("baseline Made 1 " in each for each in told) == len(bumps)


def test_five_links_lead_on_from_every_page_and_the_present_part_is_marked(files: dict[str, bytes]) -> None:
    for path, part in {
        "board/hello/index.html": "Board",
        "framework/index.html": "Frameworks",
        "index.html": "Board",
    }.items():
        navigation = files[path].decode().partition('<nav aria-label="Site">')[2].partition("</nav>")[0]
        assert re.findall(r">(\w+)</a>", navigation)[1:] == ["Board", "Frameworks", "Compare", "Changes", "Method"]
        assert re.findall(r'aria-current="\w+">(\w+)<', navigation) == ([part] if part else [])


def test_a_change_that_was_not_compared_says_so_on_its_page_and_in_the_list(content: Content) -> None:
    entry = content.catalog.ranked[0].id
    newest = max(record.at for record in content.records)
    why = "commit 0123456789, of its last results, is not in the history of this branch"
    record = uncompared_record(entry, "a" * 40, "b" * 40, newest + timedelta(days=1), why, "docker")
    files = dict(build_site(replace(content, records=[*content.records, record])))
    page = files[f"changes/{record.id}/index.html"].decode()
    assert f"Both versions were not compared: {why}." in page
    assert "none" not in page.partition("<main")[2].partition("What it did")[0]
    assert "not compared" in files["changes/index.html"].decode()
    assert "not compared" in files[f"framework/{entry}/index.html"].decode()


def test_without_an_address_nothing_names_a_host_of_its_own(files: dict[str, bytes], content: Content) -> None:
    """Feeds and the Markdown of badges have whole addresses, so they are left out."""
    assert {f"{URL}dev/bench/", "feeds/changes.xml"} <= set(pages(files)["index.html"].links)
    without = dict(build_site(replace(content, url=None)))
    assert not [path for path in without if path.startswith("feeds/")]
    for path, page in pages(without).items():
        assert not [link for link in [*page.links, *page.loads] if "feeds/" in link or "dev/bench" in link], path
        assert b"[![restbench" not in without[path]
    assert "Their Markdown will be here once the site has an address." in str(without)


def test_badges_are_to_be_copied_with_the_address_of_the_site(files: dict[str, bytes], content: Content) -> None:
    with_badges = [entry.id for entry in content.catalog.ranked if f"badges/{entry.id}/group.svg" in files]
    assert with_badges
    for entry in with_badges:
        page = files[f"framework/{entry}/index.html"].decode()
        assert f"({URL}badges/{entry}/group.svg)]({URL}framework/{entry}/)" in page


def test_pages_and_feeds_have_titles_in_place_of_ids(files: dict[str, bytes], content: Content) -> None:
    """Addresses have ids, and so have commands to copy and the folder of an entry's source."""
    ids = r"(aster|birch|cedar)/made-\d+|(hello|issue-tracker|workload|solr)/\w+"
    record = content.records[0]
    newest, *_ = runs_of(content.histories)
    own = f"framework/{record.entry}/"
    for folder in ("changes/", f"changes/{record.id}/", "runs/", f"runs/{newest.name}/", own, f"{own}cells/"):
        page = files[f"{folder}index.html"].decode()
        text = re.sub(r"<pre.*?</pre>|<th[^>]*>source</th>.*?</tr>|<[^>]*>", "", page, flags=re.DOTALL)
        assert not re.search(ids, text), folder
    for each in re.findall(r"<title>.*?</title>", files["feeds/changes.xml"].decode())[1:]:
        assert not re.search(ids, each)
        assert "Made " in each


def test_what_differs_does_not_repeat_the_version_that_stands_beside_it() -> None:
    bump = Cause(kind=CauseKind.FRAMEWORK, name="falcon", before="4.3.0", after="4.4.0")
    record = a_record(causes=[bump, Cause(kind=CauseKind.DEPENDENCY, name="msgspec", after="0.20.0")])
    page = dict(build_site(Content(made_board(), made_catalog(), [record], [])))["changes/index.html"].decode()
    assert "4.3.0 → 4.4.0</td>" in page
    assert "framework falcon" not in page
    assert "<td>dependency msgspec added</td>" in page


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


def test_a_framework_that_lacks_something_says_what_it_is() -> None:
    catalog = made_catalog()
    falcon = catalog.entries["python/falcon"]
    lacking = replace(falcon, manifest=falcon.manifest.model_copy(update={"lacks": ["pipelining"]}))
    content = Content(made_board(), replace(catalog, entries={**catalog.entries, "python/falcon": lacking}), [], [])
    page = dict(build_site(content))["framework/python/falcon/index.html"].decode()
    assert f'<h2 id="{LACKING}">What it lacks</h2>' in page
    assert "<strong>no HTTP pipelining</strong>: HTTP pipelining (RFC 9112" in page
