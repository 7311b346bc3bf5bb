"""A made site on a local server, and a browser that reaches nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from restbench.catalog import load_catalog
from restbench.catalog.load import AWAITED
from restbench.commands.site import content_of
from restbench.site.build import build_site
from restbench.site.write import write_site
from restbench.system.repository import Repository
from tests.browser.served import served
from tests.made.history import write_history
from tests.needs import chromium

WEEKS = 56
NOT_YET = """
[[framework]]
title = "Expected"
language = "Aster"
homepage = "https://example.org"
waits_for = "its entry to be written"
"""


@dataclass
class Site:
    """The address of the site, and the repository that it was made of."""

    url: str
    repository: Repository


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    repository = write_history(folder / "made", entries=8, weeks=WEEKS)
    (repository.frameworks / AWAITED).write_text(NOT_YET)
    write_site(folder / "site", build_site(content_of(repository, load_catalog(repository).check())))
    # the site is in a folder, as it is on GitHub's pages
    with served(folder) as url:
        yield Site(f"{url}site/", repository)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium()
    assert program, "tests that use the browser are marked as needing chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@dataclass
class Visit:
    """A page of the site in the browser. `mistakes` has the errors of its console, and requests to other hosts."""

    page: Page
    url: str
    mistakes: list[str] = field(default_factory=list)

    def open(self, address: str) -> Page:
        self.page.goto(self.url + address, wait_until="load")
        return self.page

    def watch(self) -> None:
        self.page.on("console", lambda line: self.mistakes.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        self.page.on(
            "request", lambda asked: None if asked.url.startswith(self.url) else self.mistakes.append(asked.url)
        )


def visit_in(context: BrowserContext, site: Site) -> Visit:
    visit = Visit(context.new_page(), site.url)
    visit.page.set_default_timeout(60_000)
    visit.watch()
    return visit


def visiting(browser: Browser, site: Site, width: int) -> Iterator[Visit]:
    """A page in the light scheme. In the end nothing may have been wrong."""
    with browser.new_context(viewport={"width": width, "height": 844}) as context:
        there = visit_in(context, site)
        yield there
        assert there.mistakes == []


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """A wide page."""
    yield from visiting(browser, site, 1280)


@pytest.fixture
def phone(browser: Browser, site: Site) -> Iterator[Visit]:
    """A narrow page."""
    yield from visiting(browser, site, 390)
