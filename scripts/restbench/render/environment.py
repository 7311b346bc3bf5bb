"""The Jinja environment of the templates that make Markdown."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from restbench.render import markdown

TEMPLATES = Path(__file__).with_name("templates")
ROOT = Path(__file__).resolve().parents[3]
"""The folder of README.md.j2."""

SITE = ROOT / "site"
"""The templates, scripts and styles of the site."""


def markdown_environment() -> Environment:
    """Templates get the filters `md`, which escapes what comes from outside, and `table`, which writes a grid."""
    env = Environment(
        loader=FileSystemLoader([ROOT, TEMPLATES]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  Markdown: `md` escapes what comes from outside
    )
    env.filters["md"] = markdown.escape
    env.filters["table"] = markdown.table
    return env
