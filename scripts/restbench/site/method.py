"""docs/METHODOLOGY.md as a part of a page."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup

from restbench.render.environment import ROOT

_DOCUMENT = re.compile(r'<a href="([^":#]+\.md(?:#[^"]*)?)">(.*?)</a>', re.DOTALL)
"""A link to another document."""

_PICTURE = re.compile(r'<img src="([^"]+)" alt="([^"]*)" ?/?>')


def method_text(source: str | None) -> Markup:
    """The document as HTML. Its links to other documents lead to the repository, where its address is known."""
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render((ROOT / "docs/METHODOLOGY.md").read_text())
    # pages forbid styles in attributes, by which the library aligns the cells of tables
    text = text.replace(' style="text-align:right"', ' class="number"').replace(' style="text-align:left"', "")
    # a page loads nothing from another host
    text = _PICTURE.sub(r'<a href="\1">picture: \2</a>', text)
    text = text.replace("<h1>", "<h2>").replace("</h1>", "</h2>")  # the page has a heading of its own
    if source:
        text = _DOCUMENT.sub(rf'<a href="{source}/blob/HEAD/docs/\1">\2</a>', text)
    return Markup(text if source else _DOCUMENT.sub(r"\2", text))  # noqa: S704  our own file, without HTML
