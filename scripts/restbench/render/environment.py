"""The Jinja environments of all templates. Templates know the modules with columns and labels, and the profiles."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from restbench.catalog.profiles import load_profiles
from restbench.render import columns, facts_columns, labels, markdown, row_attributes, tables
from restbench.render.formats import dates
from restbench.render.grid import split

TEMPLATES = Path(__file__).with_name("templates")
ROOT = Path(__file__).resolve().parents[3]
"""The folder of README.md.j2."""

SITE = ROOT / "site"
"""The templates, scripts and styles of the site."""


def markdown_environment() -> Environment:
    """Templates get filters: `md` escapes what comes from outside, `table` writes a grid, `split` makes it narrower."""
    env = _environment([ROOT, TEMPLATES], is_html=False)
    env.filters |= {"anchor": markdown.anchor, "md": markdown.escape, "split": split, "table": markdown.table}
    return env


def html_environment() -> Environment:
    """The templates of the report and of the site."""
    return _environment([TEMPLATES, SITE / "templates"], is_html=True)


def _environment(folders: Sequence[Path], is_html: bool) -> Environment:
    env = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not is_html,
        autoescape=is_html,  # noqa: S701  Markdown: `md` escapes what comes from outside
    )
    env.globals |= {  # macros see only globals
        "columns": columns,
        "dates": dates,
        "facts_columns": facts_columns,
        "labels": labels,
        "profiles": load_profiles(),
        "rows": row_attributes,
        "tables": tables,
        "zip": zip,
    }
    return env
