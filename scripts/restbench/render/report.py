"""Renders report.html: one run, or the board, as one page that loads no other file. It shares tables with the site."""

from markupsafe import Markup

from restbench.board.models import Board
from restbench.board.summary import of_frameworks
from restbench.catalog import Catalog
from restbench.render import labels
from restbench.render.answer import RunAnswer
from restbench.render.environment import SITE, TEMPLATES, html_environment

SCRIPTS = ("tables.js", "unfold.js")
"""The scripts of the site that the report has too. They import no others, so that they work without a server."""


def render_report(board: Board, catalog: Catalog, answer: RunAnswer | None = None) -> str:
    """The HTML of the report. `answer`: that of a run, with which the report of one run begins."""
    template = html_environment().get_template("report.html.j2")
    scripts = [(SITE / "scripts" / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return template.render(
        answer=answer,
        board=board,
        css=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),  # noqa: S704
        facts=[row for section in board.sections for row in section.facts],
        lacks=labels.lacking(row for section in board.sections for suite in section.suites for row in suite.rows),
        missing=_not_measured(board, catalog),
        of_frameworks=of_frameworks,
        all_tables=[table for section in board.sections for suite in section.suites for table in suite.tables],
        scripts=[Markup(text.replace("</script", "<\\/script")) for text in scripts],  # noqa: S704
        site_css=Markup((SITE / "styles/site.css").read_text(encoding="utf-8")),  # noqa: S704
    )


def _not_measured(board: Board, catalog: Catalog) -> list[str]:
    """The entries that are in no table, with the reason where it is known. No entry is missing silently."""
    suites = [suite for section in board.sections for suite in section.suites]
    shown = {row.entry.id for suite in suites for table in suite.tables for row in table.rows}
    awaited = [(entry.title, board.missed.get(entry.id)) for entry in catalog.ranked if entry.id not in shown]
    return [f"{title} ({reason})" if reason else title for title, reason in awaited]
