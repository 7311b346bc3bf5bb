"""The site in a real browser: every kind of page, filters, sorting, compare and trends."""

import json
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Page, Route

from restbench.catalog import USUAL_SETUP, Scenario, load_catalog
from restbench.changes.store import CHANGES, read_records
from restbench.commands.site import content_of
from restbench.demo.world import GAP
from restbench.render.report import render_report
from restbench.site.build import CHART_JS
from tests.browser.conftest import WEEKS, Site, Visit, visit_in
from tests.browser.node import axe_source

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium"), pytest.mark.timeout(400)]

KINDS = (
    "",
    "404.html",
    "board/issue-tracker/",
    "framework/",
    "framework/aster/made-04/",
    "changes/",
    "runs/",
    "method/",
    "download/",
    "badges/",
    "compare/?f=aster/made-01,birch/made-02",
    "trends/?f=aster/made-04",
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
            told = [(each["id"], each["nodes"][0]["html"][:200]) for each in found["violations"]]
            assert told == [], address


def scenarios_of(site: Site, name: str) -> list[Scenario]:
    """The scenario of each cell of an entry."""
    catalog = load_catalog(site.repository)
    entry = catalog.entries[name]
    return [entry.scenario(cell) for cell in entry.cells(list(catalog.suites))]


def test_without_scripts_everything_is_there(browser: Browser, site: Site) -> None:
    cells = [cell for entry in load_catalog(site.repository).ranked for cell in entry.cells(["issue-tracker"])]
    with browser.new_context(java_script_enabled=False) as context:
        visit = visit_in(context, site)
        page = visit.open("board/issue-tracker/")
        assert page.locator("table.sortable tbody tr").count() == len(cells)
        page = visit.open("framework/aster/made-04/")
        assert page.locator("svg.trend").count() == sum(
            scenario.loaded for scenario in scenarios_of(site, "aster/made-04")
        )
        page = visit.open("compare/")
        assert "needs JavaScript" in page.locator("noscript").inner_text()


def shown(page: Page, table: int = 0) -> list[str]:
    """The frameworks in the rows of a table that are shown."""
    rows = page.locator("table.sortable").nth(table).locator("tbody tr:visible")
    return [row.get_attribute("data-entry") or "" for row in rows.all()]


def test_a_filter_hides_rows_and_is_in_the_address(visit: Visit) -> None:
    page = visit.open("board/hello/")
    assert len(shown(page)) == 8
    page.get_by_role("combobox", name="Language").select_option("Aster")
    assert {entry.split("/")[0] for entry in shown(page)} == {"aster"}
    assert page.url.endswith("board/hello/?language=Aster")
    assert "3 of 8 rows are shown" in page.get_by_role("status").inner_text()
    page.reload()
    assert len(shown(page)) == 3
    page.go_back()
    assert len(shown(page)) == 8
    assert page.get_by_role("combobox", name="Language").input_value() == ""


def test_each_framework_once(visit: Visit) -> None:
    page = visit.open("board/issue-tracker/")
    page.get_by_label("Each framework once").check()
    entries = shown(page)
    assert len(entries) == len(set(entries)) == 8
    assert page.url.endswith("?once=1")


def test_tables_without_a_schema_or_rows_of_one_variant(visit: Visit) -> None:
    page = visit.open("board/issue-tracker/")
    everything = page.locator("section.scenario:visible").count()
    page.get_by_role("combobox", name="Schema").select_option("without")
    headings = page.locator("section.scenario:visible h2").all_text_contents()
    assert 0 < len(headings) < everything
    assert all("plain" in heading for heading in headings)
    assert page.url.endswith("?schema=without")
    page.get_by_role("combobox", name="Schema").select_option("")
    page.get_by_role("combobox", name="Variant").select_option("msgspec")
    rows = page.locator("section.scenario table.sortable tbody tr:visible")
    assert {row.get_attribute("data-variant") for row in rows.all()} == {"msgspec"}


def test_columns_are_chosen_and_are_in_the_address(visit: Visit) -> None:
    page = visit.open("board/hello/")
    title = page.locator("table.sortable th").nth(3).inner_text()
    columns = page.locator("details.columns-shown")
    columns.locator("summary").press("Enter")
    box = columns.get_by_label(title, exact=True)
    box.uncheck()
    assert f"?hide={quote_plus(title)}" in page.url
    assert not page.locator("table.sortable th").nth(3).is_visible()
    assert not page.locator("table.sortable tbody tr").first.locator("td").nth(3).is_visible()
    page.reload()
    assert not page.locator("table.sortable th").nth(3).is_visible()
    page.go_back()
    assert page.locator("table.sortable th").nth(3).is_visible()
    page = visit.open("board/hello/?hide=framework&hide=nothing")
    assert page.locator("table.sortable th").nth(1).is_visible(), "a row keeps its name"


def test_rounds_are_drawn_when_they_are_opened(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open("board/hello/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if url.endswith("rounds.json")]
    page.locator("details.rounds summary").first.click()
    strips = page.locator("details.rounds svg.strip")
    strips.first.wait_for()
    assert strips.count() == 8
    drawn = strips.nth(1).locator("line.round").count()
    assert f"{drawn} × " in page.locator("details.rounds tbody tr").nth(1).inner_text()


def test_rounds_that_cannot_be_read_are_told(browser: Browser, site: Site) -> None:
    with browser.new_context() as context:
        visit = visit_in(context, site)
        visit.page.route("**/rounds.json", lambda route: route.fulfill(status=404))
        page = visit.open("board/hello/")
        page.locator("details.rounds summary").first.click()
        page.locator("details.rounds p", has_text="cannot be read (404)").wait_for()


def test_sorting_by_mouse_and_keyboard(visit: Visit) -> None:
    page = visit.open("board/hello/")
    original = shown(page)
    header = page.locator("table.sortable th").nth(1)
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    by_name = shown(page)
    assert by_name != original
    assert sorted(by_name) == sorted(original)
    header.get_by_role("button").press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert shown(page) == by_name[::-1]
    page.keyboard.press("Space")
    assert header.get_attribute("aria-sort") is None
    assert shown(page) == original


def test_what_the_page_does_not_have_is_told(visit: Visit) -> None:
    page = visit.open("board/hello/?language=Klingon&sort=nothing")
    assert "There is no language Klingon here." in page.get_by_role("status").inner_text()
    assert len(shown(page)) == 8


def test_two_frameworks_are_compared_by_a_link(visit: Visit) -> None:
    page = visit.open("compare/?f=aster/made-01,birch/made-02&s=hello")
    page.locator(".compared table").wait_for()
    heads = page.locator(".compared th").all_inner_texts()
    assert [head.split("\n")[0].replace("✕", "").strip() for head in heads] == ["scenario", "Made 1", "Made 2"]
    cells = page.locator(".compared tbody td").all_inner_texts()
    assert "Plain text" in cells[0]
    assert any("100 % (group" in cell for cell in cells[1:])


def test_frameworks_are_added_and_removed(visit: Visit) -> None:
    page = visit.open("compare/")
    status = page.get_by_role("status")
    page.get_by_label("Framework").select_option("aster/made-01")
    assert "Choose at least two frameworks." in status.inner_text()
    page.get_by_label("Framework").select_option("cedar/made-03")
    assert page.url.endswith("compare/?f=aster/made-01,cedar/made-03")
    assert status.inner_text() == ""
    page.get_by_label("Remove Made 1").press("Enter")
    assert page.url.endswith("compare/?f=cedar/made-03")


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


def test_the_report_of_a_run_filters_without_a_server(browser: Browser, site: Site, tmp_path: Path) -> None:
    """It is a file, and loads no other one."""
    content = content_of(site.repository, load_catalog(site.repository))
    report = tmp_path / "report.html"
    report.write_text(render_report(content.board, content.catalog, CHART_JS.read_text()))
    with browser.new_context(viewport={"width": 390, "height": 900}) as context:
        page = context.new_page()
        mistakes: list[str] = []
        page.on("console", lambda said: mistakes.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.goto(report.as_uri())
        page.get_by_role("combobox", name="Language").select_option("Aster")
        assert page.url.endswith("?language=Aster")
        assert {entry.split("/")[0] for entry in shown(page)} == {"aster"}
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert mistakes == []


def test_an_unknown_framework_is_told_and_the_others_are_compared(visit: Visit) -> None:
    page = visit.open("compare/?f=aster/made-01,python/none,birch/made-02")
    page.locator(".compared table").wait_for()
    assert page.get_by_role("status").inner_text() == "The board has no python/none."
    assert page.locator(".compared th").count() == 3


def test_trends_are_drawn_with_a_table_behind(visit: Visit) -> None:
    page = visit.open("trends/?f=aster/made-04,birch/made-05&c=hello/hello_world")
    page.locator("canvas").wait_for()
    assert page.evaluate("Chart.getChart(document.querySelector('canvas')).data.datasets.length") == 6
    page.locator("summary").click()
    assert page.locator(".drawn tbody tr").count() == 26
    page.get_by_label("Figure").select_option("cpu")
    page.wait_for_url("**/trends/?f=aster/made-04,birch/made-05&c=hello/hello_world&m=cpu")
    assert "CPU µs per request" in (page.locator("canvas").get_attribute("aria-label") or "")


def test_chart_js_is_loaded_when_it_is_first_needed(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open("trends/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if url.endswith("chart.js")]
    page.get_by_label("Framework").select_option("aster/made-01")
    page.locator("canvas").wait_for()
    assert [url for url in asked if url.endswith("chart.js")]


@pytest.mark.parametrize("body", ["", '{"frameworks": ['], ids=["missing", "half"])
def test_a_data_file_that_cannot_be_used_is_told(browser: Browser, site: Site, body: str) -> None:
    def answer(route: Route) -> None:
        route.fulfill(status=200 if body else 404, body=body)

    with browser.new_context() as context:
        visit = visit_in(context, site)
        visit.page.route("**/data/v2/board.json", answer)
        for address, elsewhere in (
            ("compare/", "The tables of the suites"),
            ("trends/", "The pages of the frameworks"),
        ):
            page = visit.open(address)
            page.locator(".filtered", has_text=elsewhere).wait_for()


def test_slow_data_leaves_the_page_usable(visit: Visit) -> None:
    def answer(route: Route) -> None:
        visit.page.wait_for_timeout(300)
        route.continue_()

    visit.page.route("**/data/v2/series/**", answer)
    page = visit.open("trends/?f=aster/made-01")
    page.get_by_label("Framework").select_option("birch/made-02")
    page.locator(".drawn th", has_text="Made 2").wait_for(state="attached")


def test_old_links_lead_to_the_same_view(visit: Visit) -> None:
    """Addresses that somebody may have kept. None is ever removed from this list."""
    kept: dict[str, str] = json.loads((Path(__file__).with_name("kept_links.json")).read_text())
    for address, heading in kept.items():
        page = visit.open(address)
        page.locator("h1", has_text=heading).wait_for()


def _has_baseline(scenario: Scenario) -> bool:
    """Whether cells of the scenario have a relative cost, as none of several conditions has."""
    return scenario.loaded and not scenario.column and scenario.setup == USUAL_SETUP
