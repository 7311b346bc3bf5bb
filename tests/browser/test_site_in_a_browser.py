"""The site in a real browser: every kind of page, the choices of a board, and compare."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, Route

from restbench.catalog import USUAL_SETUP, Scenario, load_catalog
from restbench.changes.records import CHANGES, read_records
from restbench.commands.site import content_of
from restbench.render.answer import answer_of
from restbench.render.report import render_report
from tests.browser.conftest import WEEKS, Site, Visit, visit_in
from tests.browser.node import axe_source
from tests.made.world import GAP

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium"), pytest.mark.timeout(400)]

KINDS = (
    "",
    "404.html",
    "board/issue-tracker/",
    "board/issue-tracker/sprint-schema/",
    "framework/",
    "framework/aster/made-04/",
    "framework/aster/made-04/cells/",
    "changes/",
    "runs/",
    "method/",
    "download/",
    "compare/",
    "compare/?f=aster/made-01,birch/made-02",
)
"""An address of each kind of page."""

Scheme = Literal["light", "dark"]


def addresses(site: Site) -> list[str]:
    """An address of each kind of page, also of those whose names are not known before."""
    (change, *_) = read_records(site.repository.results / CHANGES)
    return [*KINDS, f"changes/{change.id}/"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways_complains_or_asks_another_host(
    browser: Browser, site: Site, width: int, scheme: Scheme
) -> None:
    with browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme) as context:
        visit = visit_in(context, site)
        for address in addresses(site):
            page = visit.open(address)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert visit.mistakes == []


@pytest.mark.needs("npm")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site: Site, scheme: Scheme) -> None:
    # pages forbid scripts that are not theirs, and axe is one
    with browser.new_context(color_scheme=scheme, bypass_csp=True) as context:
        visit = visit_in(context, site)
        for address in addresses(site):
            page = visit.open(address)
            page.wait_for_load_state("networkidle")
            page.add_script_tag(content=axe_source())
            found: dict[str, Any] = page.evaluate("axe.run()")
            violations = [(each["id"], each["nodes"][0]["html"][:200]) for each in found["violations"]]
            assert violations == [], address


def scenarios_of(site: Site, name: str) -> list[Scenario]:
    """The scenario of each cell of an entry."""
    catalog = load_catalog(site.repository)
    entry = catalog.entries[name]
    return [entry.scenario(cell) for cell in entry.cells(list(catalog.suites))]


def test_without_scripts_the_default_choice_is_there(browser: Browser, site: Site) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        visit = visit_in(context, site)
        page = visit.open("board/issue-tracker/sprint-schema/")
        entries = shown(page)
        assert len(entries) == len(set(entries)) > 1
        tables = context.request.get(f"{site.url}data/v5/board.json").json()["settings"][0]["tables"]
        assert page.locator("nav[aria-label=Scenarios] a").count() == len(tables)
        page = visit.open("framework/aster/made-04/")
        cells = sum(scenario.loaded for scenario in scenarios_of(site, "aster/made-04"))
        assert page.locator("svg.trend").count() == 1
        assert visit.open("framework/aster/made-04/cells/").locator("svg.trend").count() == cells
        page = visit.open("compare/")
        assert "needs JavaScript" in page.locator("noscript").inner_text()


def shown(page: Page, table: int = 0) -> list[str]:
    """The frameworks in the rows of a table that are shown."""
    rows = page.locator("table.sortable").nth(table).locator("tbody tr:visible")
    return [row.get_attribute("data-entry") or "" for row in rows.all()]


def compare(visit: Visit, choice: str = "") -> Page:
    """Opens a comparison, and waits until it is there."""
    page = visit.open(f"compare/{choice}")
    page.locator(".compared table").first.wait_for()
    return page


HELLO = "board/hello/hello_world/"
LIST = "board/issue-tracker/sprint-raw/"


def chip(page: Page, name: str) -> Locator:
    return page.get_by_role("form").get_by_role("button", name=name)


def status(page: Page) -> str:
    return page.locator(".filtered").inner_text()


def test_a_language_is_chosen_and_is_in_the_address(visit: Visit) -> None:
    page = visit.open(HELLO)
    assert len(shown(page)) == 8
    chip(page, "Aster 3").click()
    assert {entry.split("/")[0] for entry in shown(page)} == {"aster"}
    assert page.url.endswith(f"{HELLO}?language=Aster")
    assert "3 of 8 rows are shown. Fastest of Aster: " in status(page)
    assert "Groups compare the frameworks of Aster alone" in status(page)
    assert page.locator("table.sortable tbody tr:visible td").first.inner_text() == "1"
    page.reload()
    assert len(shown(page)) == 3
    chip(page, "Birch 3").click()
    assert len(shown(page)) == 6
    assert "Groups and speeds are those among all frameworks." in status(page)
    page.go_back()
    page.go_back()
    assert len(shown(page)) == 8
    assert chip(page, "all languages").get_attribute("aria-pressed") == "true"


def test_a_bar_stays_a_share_of_the_first_row_whichever_rows_are_shown(visit: Visit) -> None:
    def widths(address: str) -> dict[str, str | None]:
        page = visit.open(address)
        rows = page.locator("table.sortable tbody tr:visible").all()
        return {row.get_attribute("data-entry") or "": row.locator(".bar rect").get_attribute("width") for row in rows}

    every = widths(HELLO)
    chosen = widths(f"{HELLO}?language=Birch")
    assert chosen == {entry: width for entry, width in every.items() if entry in chosen}


def box_of(shown: Locator) -> FloatRect:
    box = shown.bounding_box()
    assert box
    return box


def test_a_narrow_screen_shows_three_columns_and_the_others_of_a_row_that_is_unfolded(phone: Visit) -> None:
    page = phone.open("")
    first = page.locator("table.sortable tbody tr:visible").first
    assert box_of(first)["y"] < 600, "the first row is on the first screen of a phone"
    headers = page.locator("table.sortable th:visible")
    assert [header.inner_text() for header in headers.all()] == ["group", "framework", "speed, % of the first"]
    more = first.get_by_role("button", name="More about ")
    more.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    unfolded = page.locator("tr.unfolded")
    assert "requests per second" in unfolded.locator("dt").all_inner_texts()
    first.locator("td").first.click()
    assert more.get_attribute("aria-expanded") == "false"
    assert unfolded.count() == 0
    for link in page.locator("header nav a:visible").all():
        assert box_of(link)["y"] < 50, "the navigation is one row"


def test_a_narrow_screen_without_scripts_has_all_columns_and_scrolls_the_table(browser: Browser, site: Site) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False) as context:
        page = visit_in(context, site).open(HELLO)
        assert page.locator("table.sortable th:visible").count() > 3
        assert not page.locator(".more, .filters").first.is_visible()


def test_what_is_folded_on_a_phone_is_open_on_a_wide_screen(phone: Visit, visit: Visit) -> None:
    for wide, page in ((False, phone.open("")), (True, visit.open(""))):
        folds = page.locator("details.fold")
        assert folds.count() == 3
        assert {fold.locator("summary").first.is_visible() for fold in folds.all()} == {not wide}
        assert page.get_by_label("Find a framework").is_visible() is wide
        assert page.get_by_text("A new group begins").is_visible() is wide


def test_a_choice_goes_along_to_another_scenario(visit: Visit) -> None:
    page = visit.open(f"{HELLO}?language=Aster&f=aster/made-01")
    page.locator("nav[aria-label=Scenarios] a", has_text="JSON list of 100, typed").click()
    page.wait_for_url("**/sprint-schema/?language=Aster")
    assert {entry.split("/")[0] for entry in shown(page)} == {"aster"}
    page = visit.open("board/issue-tracker/?language=Aster")
    page.get_by_role("link", name="JSON list of 100, plain").click()
    page.wait_for_url("**/sprint-raw/?language=Aster")


def test_the_search_finds_names_variants_and_servers(visit: Visit) -> None:
    page = visit.open(HELLO)
    page.get_by_label("Find a framework").fill("made 4")
    page.get_by_label("Find a framework").press("End")
    assert shown(page) == ["aster/made-04"]
    assert page.url.endswith("?q=made+4")
    page.get_by_label("Find a framework").fill("nothing like it")
    assert "No row fits “nothing like it”." in status(page)
    page.get_by_role("button", name="Show all").click()
    assert len(shown(page)) == 8
    page.get_by_label("Find a framework").fill("expect")
    assert "No row fits “expect”." in status(page)
    assert "Expected (Aster) is not on the board yet: it waits for its entry to be written." in status(page)
    page = visit.open(f"{LIST}?variants=all&variant=orjson")
    found = page.locator("table.sortable tbody tr:visible")
    assert {row.get_attribute("data-variant") for row in found.all()} <= {"orjson"}


def test_all_variants_of_a_framework_are_shown_when_asked_for(visit: Visit, site: Site) -> None:
    cells = [cell for entry in load_catalog(site.repository).ranked for cell in entry.cells(["issue-tracker"])]
    validated = [cell for cell in cells if cell.scenario == "sprint" and cell.variant not in ("raw", "orjson")]
    page = visit.open("board/issue-tracker/sprint-schema/")
    entries = shown(page)
    assert len(entries) == len(set(entries))
    assert len(entries) < len(validated)
    chip(page, "all variants").click()
    assert page.url.endswith("?variants=all")
    assert len(shown(page)) == len(validated)


def test_columns_are_chosen_and_are_in_the_address(visit: Visit) -> None:
    page = visit.open(HELLO)
    version = page.locator("table.sortable th", has_text="version")
    assert not version.is_visible()
    columns = page.locator("details.columns-shown")
    columns.locator("summary").press("Enter")
    columns.get_by_label("version", exact=True).check()
    assert page.url.endswith("?show=version")
    assert version.is_visible()
    columns.get_by_label("language", exact=True).uncheck()
    assert not page.locator("table.sortable th", has_text="language").is_visible()
    page.reload()
    assert version.is_visible()
    page.go_back()
    page.go_back()
    assert not version.is_visible()
    page = visit.open(f"{HELLO}?hide=framework&hide=nothing")
    assert page.locator("table.sortable th").nth(1).is_visible(), "a row keeps its name"


def test_a_ticked_row_shows_what_is_certain_and_can_be_compared(visit: Visit) -> None:
    page = visit.open(HELLO)
    rows = page.locator("table.sortable tbody tr")
    rows.last.locator("input").check()
    text = page.locator(".chosen").inner_text()
    faster = page.locator("tr.faster:visible").count()
    assert faster > 0
    assert f": {faster}. Slower: 0." in text
    assert rows.first.locator(".word").inner_text() == "▲ faster"
    rows.first.locator("input").check()
    assert page.locator("tr.slower:visible").count() >= 1
    first, last = (row.get_attribute("data-entry") for row in (rows.first, rows.last))
    assert page.url.endswith(f"?f={last},{first}")
    page.get_by_role("link", name="Compare these 2").click()
    page.wait_for_url(f"**/compare/?f={last},{first}")
    page.locator(".compared table").first.wait_for()
    page.go_back()
    page.locator("tr.slower").first.wait_for()
    page.get_by_role("button", name="Clear").click()
    assert page.locator("tr.slower, tr.faster, tr.level").count() == 0


def test_what_is_certain_about_a_ticked_row_is_of_the_rows_that_are_shown(visit: Visit) -> None:
    page = visit.open(HELLO)
    page.locator("table.sortable tbody tr:visible input").first.check()
    for name in ("Aster 3", "Birch 3", "all languages"):
        chip(page, name).click()
        counts = [page.locator(f"tr.{kind}:visible").count() for kind in ("faster", "slower", "level")]
        text = page.locator(".chosen").inner_text()
        assert ": {}. Slower: {}. Cannot tell: {}.".format(*counts) in text


def test_rounds_are_drawn_when_they_are_opened(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open(HELLO)
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if url.endswith("board.json")]
    page.locator("details.rounds summary").first.click()
    strips = page.locator("details.rounds svg.strip")
    strips.first.wait_for()
    assert strips.count() == 8
    drawn = strips.nth(1).locator("line.round").count()
    assert f"{drawn} × " in page.locator("details.rounds tbody tr").nth(1).inner_text()


def test_rounds_that_cannot_be_read_are_named(visit: Visit) -> None:
    page = visit.open(HELLO)
    page.route("**/board.json", lambda route: route.fulfill(status=404))
    page.locator("details.rounds summary").first.click()
    page.locator("details.rounds p", has_text="cannot be read (404)").wait_for()
    visit.mistakes.clear()  # of the browser, about the answer 404


def test_sorting_by_mouse_and_keyboard(visit: Visit) -> None:
    page = visit.open(HELLO)
    original = shown(page)
    header = page.locator("table.sortable th").nth(1)
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    assert page.locator(".order").inner_text() == "Sorted by framework, rising."
    by_name = shown(page)
    assert by_name != original
    assert sorted(by_name) == sorted(original)
    header.get_by_role("button").press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert shown(page) == by_name[::-1]
    page.keyboard.press("Space")
    assert header.get_attribute("aria-sort") is None
    assert shown(page) == original
    assert page.locator(".order").inner_text().startswith("Sorted by speed")


def test_what_the_page_does_not_have_is_named(visit: Visit) -> None:
    page = visit.open(f"{HELLO}?language=Klingon&sort=nothing")
    assert "There is no language Klingon here." in status(page)
    assert len(shown(page)) == 8


def test_two_frameworks_are_compared_by_a_link(visit: Visit) -> None:
    page = compare(visit, "?f=aster/made-01,birch/made-02&s=hello")
    comparison = page.locator(".compared table").first
    heads = [head.replace("✕", "").strip() for head in comparison.locator("th").all_inner_texts()]
    assert heads == ["scenario", "which is faster", "Made 1", "Made 2"]
    cells = comparison.locator("tbody td").all_inner_texts()
    assert cells[0] == "Plain text"
    assert "× as fast" in cells[1]
    assert all(re.match(r"[\d.]+ %( \([\d.]+–[\d.]+\)|\n)", cell) for cell in cells[2:]), (
        "shares, each with its interval"
    )
    assert "Made 1 against Made 2: certainly faster in " in page.locator(".compared p").inner_text()
    facts = page.locator(".compared table").nth(1).locator("tbody tr td:first-child").all_inner_texts()
    assert {"version", "licence", "packages"} <= set(facts)


def test_what_is_certain_agrees_with_the_board(visit: Visit) -> None:
    page = visit.open(HELLO)
    rows = page.locator("table.sortable tbody tr")
    first, last = (row.get_attribute("data-entry") or "" for row in (rows.first, rows.last))
    page = compare(visit, f"?f={first},{last}&s=hello")
    assert page.locator(".compared tbody td").nth(1).inner_text().endswith(" × as fast, certain")


def test_a_comparison_without_names_begins_with_two_frameworks(visit: Visit) -> None:
    page = compare(visit)
    assert page.locator(".compared table").first.locator("th").count() == 4
    assert page.get_by_role("status").inner_text() == ""


def test_scenarios_that_are_counted_are_those_of_the_table(visit: Visit) -> None:
    page = compare(visit, "?f=aster/made-01,birch/made-02")
    text = page.locator(".compared p").inner_text()
    faster, both, slower, level, *not_compared = map(int, re.findall(r"(?:in|of) (\d+)", text))
    assert both == faster + slower + level + sum(not_compared)
    assert both == page.locator(".compared table").first.locator("tbody tr").count()


def compare_changed(visit: Visit, change: Callable[[dict[str, Any]], None]) -> Page:
    """The comparison of two frameworks of which the data of each table was changed."""

    def answer(route: Route) -> None:
        board = route.fetch().json()
        for table in board["settings"][0]["tables"]:
            table["rows"] = [dict(zip(board["fields"], row, strict=True)) for row in table["rows"]]
            change(table)
            table["rows"] = [list(row.values()) for row in table["rows"]]
        route.fulfill(json=board)

    visit.page.route("**/data/v5/board.json", answer)
    return compare(visit, "?f=aster/made-01,birch/made-02&s=issue-tracker")


def test_the_variant_that_both_have_is_compared_and_other_json_libraries_are_named(visit: Visit) -> None:
    def change(table: dict[str, Any]) -> None:
        for row in table["rows"]:
            row["json_library"] = f"library of {int(row['entry'].startswith('birch'))}"

    page = compare_changed(visit, change)
    for row in page.locator(".compared table").first.locator("tbody tr").all():
        _, verdict, *figures = row.locator("td").all_inner_texts()
        variants = {re.findall(r"(\w+) \(library of \d\)", cell)[0] for cell in figures}
        assert len(variants) == 1
        assert "different JSON libraries: library of 0 against library of 1" in verdict


def test_what_nothing_links_is_not_compared_and_has_no_share(visit: Visit) -> None:
    def change(table: dict[str, Any]) -> None:
        table["scales"] = [row["entry"] for row in table["rows"]]
        for row in table["rows"]:
            row |= dict.fromkeys(("percent_of_best", "percent_of_best_low", "percent_of_best_high"))

    page = compare_changed(visit, change)
    _, verdict, *figures = page.locator(".compared tbody tr").first.locator("td").all_inner_texts()
    assert verdict == "not compared: nothing links their languages in this scenario"
    assert all(re.match(r"[\d,.]+ requests/s", cell) for cell in figures)
    assert re.search(r"of (\d+) .* not compared in \1\.", page.locator(".compared p").inner_text())


def test_what_is_not_compared_has_its_reason(visit: Visit) -> None:
    def change(table: dict[str, Any]) -> None:
        table["certain"] = table["scales"] = []
        for row in table["rows"]:
            row["not_compared"] = "placed by its measured throughput"

    verdict = compare_changed(visit, change).locator(".compared tbody tr").first.locator("td").nth(1).inner_text()
    assert verdict.startswith("not compared: Made 1: placed by its measured throughput; Made 2: placed by ")


def test_the_labels_of_the_form_are_whole_on_a_phone(phone: Visit) -> None:
    page = compare(phone, "?f=aster/made-01,birch/made-02")
    for label in page.locator(".filters label").all():
        assert box_of(label)["height"] < 70, "a label and what is chosen are two lines at most"


def test_a_table_of_a_framework_is_not_cut_off(visit: Visit) -> None:
    page = visit.open("framework/aster/made-04/")
    for table in page.locator(".figures > .scroll").all():
        assert table.evaluate("table => table.scrollWidth <= table.clientWidth")


def test_frameworks_are_added_and_removed(visit: Visit) -> None:
    page = visit.open("compare/?f=")
    status = page.get_by_role("status")
    page.get_by_label("Framework").select_option("aster/made-01")
    assert "Choose at least two frameworks." in status.inner_text()
    page.get_by_label("Framework").select_option("cedar/made-03")
    assert page.url.endswith("compare/?f=aster/made-01,cedar/made-03")
    assert status.inner_text() == ""
    page.get_by_label("Remove Made 1").press("Enter")
    assert page.url.endswith("compare/?f=cedar/made-03")
    page.get_by_label("Remove Made 3").press("Enter")
    assert page.url.endswith("compare/?f="), "nothing stays chosen"
    assert page.locator(".compared table").count() == 0


def test_two_runs_are_compared_by_a_link(visit: Visit, site: Site) -> None:
    page = visit.open("compare/?f=aster/made-04,birch/made-05")
    first = page.locator("select[name=a]")
    first.wait_for()
    days = [option.get_attribute("value") or "" for option in first.locator("option").all()]
    assert len(days) == WEEKS - len(GAP) + 1
    first.select_option(days[3])
    page.get_by_label("and run").select_option(days[1])
    pair = page.locator("section.pair")
    pair.wait_for()
    assert page.url.endswith(f"compare/?f=aster/made-04,birch/made-05&a={days[3]}&b={days[1]}")
    assert days[3] in pair.locator("h2").inner_text()
    assert pair.locator("tbody tr").count() == 1 + sum(map(_has_baseline, scenarios_of(site, "aster/made-04")))
    assert " → " in pair.locator("tbody tr").nth(1).inner_text()
    assert " %)" in pair.locator("tbody tr").nth(1).inner_text()
    page = visit.open(f"compare/?f=aster/made-04&a=1999-01-01&b={days[1]}")
    page.get_by_role("status").filter(has_text="The board has no run of 1999-01-01.").wait_for()


def test_the_report_of_a_run_filters_without_a_server(phone: Visit, site: Site, tmp_path: Path) -> None:
    """It is a file, and loads no other one."""
    content = content_of(site.repository, load_catalog(site.repository))
    report = tmp_path / "report.html"
    report.write_text(render_report(content.board, content.catalog, answer_of(content.board)))
    phone.url = report.as_uri()
    page = phone.open("")
    page.get_by_text("Filters and columns").click()
    chip(page, "Aster 3").click()
    assert page.url.endswith("?language=Aster")
    assert {entry.split("/")[0] for entry in shown(page)} == {"aster"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_unknown_framework_is_named_and_the_others_are_compared(visit: Visit) -> None:
    page = compare(visit, "?f=aster/made-01,python/none,birch/made-02")
    assert page.get_by_role("status").inner_text() == "The board has no python/none."
    assert page.locator(".compared table").first.locator("th").count() == 4


@pytest.mark.parametrize("body", ["", '{"frameworks": ['], ids=["missing", "half"])
def test_a_data_file_that_cannot_be_used_is_named(visit: Visit, body: str) -> None:
    def answer(route: Route) -> None:
        route.fulfill(status=200 if body else 404, body=body)

    visit.page.route("**/data/v5/board.json", answer)
    visit.open("compare/").locator(".filtered", has_text="The tables of the board").wait_for()
    visit.mistakes.clear()  # of the browser, about the answer


def test_slow_data_leaves_the_page_usable(visit: Visit) -> None:
    def answer(route: Route) -> None:
        visit.page.wait_for_timeout(300)
        route.continue_()

    visit.page.route("**/data/v5/series/**", answer)
    page = visit.open("compare/?f=aster/made-01")
    page.locator("select[name=a] option").nth(2).wait_for(state="attached")
    days = [option.get_attribute("value") or "" for option in page.locator("select[name=a] option").all()]
    page = visit.open(f"compare/?f=aster/made-01&a={days[2]}&b={days[1]}")
    page.get_by_label("Framework").select_option("birch/made-02")
    page.locator(".pair th", has_text="Made 2").wait_for(state="attached")


def test_old_links_lead_to_the_same_view(visit: Visit) -> None:
    """Addresses that somebody may have kept. None is ever removed from this list."""
    links: dict[str, str] = json.loads((Path(__file__).with_name("kept_links.json")).read_text())
    for address, heading in links.items():
        page = visit.open(address)
        page.locator("h1", has_text=heading).wait_for()


def _has_baseline(scenario: Scenario) -> bool:
    """Whether cells of the scenario have a relative cost, as none of several conditions has."""
    return scenario.loaded and not scenario.column and scenario.setup == USUAL_SETUP
