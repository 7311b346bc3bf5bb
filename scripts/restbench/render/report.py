"""Renders report.html: one run, or the board, as one page that loads no other file. It shares tables with the site."""

import json
import re
from typing import Any

from markupsafe import Markup

from restbench.board.models import Board
from restbench.board.rows import Table
from restbench.catalog import Catalog
from restbench.render.charts import Config, chart_config, chart_size, entry_colours
from restbench.render.environment import SITE, TEMPLATES, html_environment
from restbench.render.readme import not_measured

SCRIPTS = ("tables.js", "columns.js")
"""The scripts of the site that the report has too. They import no others, so that they work without a server."""

_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)


def render_report(board: Board, catalog: Catalog, chart_js: str, single_run: bool = True) -> str:
    """The HTML of the report. `chart_js` is the source text of Chart.js 4, which is embedded in the page."""
    colours = entry_colours(board)

    def chart(table: Table) -> dict[str, Any] | None:
        config = chart_config(table, colours)
        return {"config": _json(config), "height": chart_size(config)[1]} if config["data"]["labels"] else None

    template = html_environment().get_template("report.html.j2")
    return template.render(
        board=board,
        chart=chart,
        chart_js=_script(_SOURCE_MAP.sub("", chart_js)),  # the source map is not published with the report
        css=Markup((TEMPLATES / "report.css").read_text()),  # noqa: S704
        facts_of=lambda section: {row.entry.id: row for row in section.facts},
        missing=not_measured(board, catalog),
        single_run=single_run,
        scripts=[_script((SITE / "scripts" / name).read_text()) for name in SCRIPTS],
        site_css=Markup((SITE / "styles/site.css").read_text()),  # noqa: S704
    )


def _json(config: Config) -> Markup:
    """The config as JSON for a script element. "<" is escaped, so that a title with "</script>" cannot end it."""
    return Markup(json.dumps(config, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))  # noqa: S704


def _script(text: str) -> Markup:
    return Markup(text.replace("</script", "<\\/script"))  # noqa: S704
