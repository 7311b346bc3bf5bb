"""Renders report.html: one run, or the board, as one page that loads no other file. It shares tables with the site."""

from markupsafe import Markup

from restbench.board.models import Board
from restbench.board.summary import of_frameworks
from restbench.catalog import Catalog
from restbench.render import labels
from restbench.render.environment import SITE, TEMPLATES, html_environment
from restbench.render.readme import not_measured

SCRIPTS = ("tables.js", "unfold.js")
"""The scripts of the site that the report has too. They import no others, so that they work without a server."""


def render_report(board: Board, catalog: Catalog, single_run: bool = True) -> str:
    """The HTML of the report."""
    template = html_environment().get_template("report.html.j2")
    return template.render(
        board=board,
        css=Markup((TEMPLATES / "report.css").read_text()),  # noqa: S704
        facts=[row for section in board.sections for row in section.facts],
        facts_of=lambda section: {row.entry.id: row for row in section.facts},
        lacks=labels.lacking(row for section in board.sections for suite in section.suites for row in suite.rows),
        missing=not_measured(board, catalog),
        of_frameworks=of_frameworks,
        single_run=single_run,
        tables=[table for section in board.sections for suite in section.suites for table in suite.tables],
        scripts=[_script((SITE / "scripts" / name).read_text()) for name in SCRIPTS],
        site_css=Markup((SITE / "styles/site.css").read_text()),  # noqa: S704
    )


def _script(text: str) -> Markup:
    return Markup(text.replace("</script", "<\\/script"))  # noqa: S704
