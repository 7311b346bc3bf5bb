"""How each framework is: the strip of its newest runs, and what stands first."""

from dataclasses import replace

import pytest

from restbench.catalog import load_catalog
from restbench.commands.site import content_of
from restbench.site.health import RUNS, Health, health_of
from restbench.site.pages import Content, Pages
from tests.made.changes import a_record
from tests.made.history import write_history


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """A made board of four entries and thirty weeks."""
    repository = write_history(tmp_path_factory.mktemp("made"), entries=4, weeks=30)
    return replace(content_of(repository, load_catalog(repository)), records=[])


def health(content: Content) -> list[Health]:
    pages = Pages(content)
    assert pages.section
    return health_of(pages.section, content.catalog.ranked, pages.measured, pages.newest_first)


def broken(content: Content, entry: str, runs: int) -> Content:
    """The content as if a cell of the entry had failed in its newest runs."""
    histories = []
    days = sorted({h.runs[line.run].at for h in content.histories for line in h.entries if line.entry == entry})[-runs:]
    for history in content.histories:
        lines = [
            line.model_copy(update={"cells": dict.fromkeys(line.cells, "answers")})
            if line.entry == entry and history.runs[line.run].at in days
            else line
            for line in history.entries
        ]
        histories.append(replace(history, entries=lines))
    return replace(content, histories=histories)


def test_a_strip_has_a_square_for_each_of_the_newest_runs(content: Content) -> None:
    for each in health(content):
        assert each.strip.count("<rect") == RUNS
        assert each.now == "fine"


def test_a_broken_framework_stands_first_with_since_when_and_why(content: Content) -> None:
    name = content.catalog.ranked[-1].id
    first, *others = health(broken(content, name, 3))
    assert first.entry.id == name
    assert first.broken_runs == 3
    assert first.now == f"broken since {first.broken_since} (3 runs): answers"
    assert first.strip.count('class="failed"') == 3
    assert "3 with a failure" in first.strip
    assert all(each.broken_since is None for each in others)


def test_a_framework_that_was_broken_once_is_fine_again(content: Content) -> None:
    """Only failures up to the newest run count."""
    name = content.catalog.ranked[0].id
    once = broken(content, name, 3)
    newest = max(h.runs[line.run].at for h in once.histories for line in h.entries if line.entry == name)
    mended = [
        replace(
            history,
            entries=[
                old if line.entry == name and history.runs[line.run].at == newest else line
                for line, old in zip(history.entries, before.entries, strict=True)
            ],
        )
        for history, before in zip(once.histories, content.histories, strict=True)
    ]
    found = {each.entry.id: each for each in health(replace(once, histories=mended))}
    assert found[name].now == "fine"
    assert found[name].strip.count('class="failed"') == 2


def test_a_slower_one_comes_before_those_that_are_fine(content: Content) -> None:
    name = content.catalog.ranked[-1].id
    newest = max(run.at for history in content.histories for run in history.runs.values())
    first, *_ = health(replace(content, records=[a_record(name, ratio=1.06, at=newest)]))
    assert first.entry.id == name
    assert first.now == "5.7 % slower (4.7 to 6.6) since 4.4.0"
