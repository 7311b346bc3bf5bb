"""A page of the site as a text that people can review: what it shows, without tags."""

from html.parser import HTMLParser

MARKS = {
    "h1": "# ",
    "h2": "## ",
    "h3": "### ",
    "h4": "#### ",
    "li": "- ",
    "summary": "▸ ",
    "caption": "Table: ",
    "pre": "$ ",
}
"""What a line begins with, by the element that it shows."""

LINES = {*MARKS, "p", "tr", "nav", "figure", "figcaption", "dt", "dd", "div", "header", "main", "footer"}
"""Elements that begin and end a line."""

VOID = {"img", "br", "input", "link", "meta"}


class _Outline(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self._open: list[str] = []
        self._unseen = 0  # how many of the open elements nobody sees
        self._target = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if not self._open and tag != "body":
            return
        picture = values.get("alt") or values.get("aria-label") if tag in ("img", "svg") else None
        if not self._unseen:
            self._begin_line(tag)
            self.text += f"[picture: {picture}]" if picture else MARKS.get(tag, "")
            if tag in ("td", "th") and "hidden" not in values and not self._at_begin:
                self.text += " | "
            elif tag == "sup":
                self.text += "^"
            elif tag == "a":
                here = "here: " if "aria-current" in values else ""
                self.text, self._target = f"{self.text}{here}[", values["href"]
        if tag not in VOID:
            self._open.append(tag)
            self._unseen += bool(self._unseen or "hidden" in values or tag in ("script", "svg"))

    def handle_endtag(self, tag: str) -> None:
        if not self._open:
            return
        if not self._unseen:
            self.text += f"]({self._target})" if tag == "a" else ""
        self._unseen -= bool(self._unseen)
        self._open.pop()
        self._begin_line(tag)

    def handle_data(self, data: str) -> None:
        if self._open and not self._unseen:
            self.text += data if "pre" in self._open else data.replace("\n", " ")

    @property
    def _at_begin(self) -> bool:
        return self.text.rstrip("\t").endswith("\n")

    def _begin_line(self, tag: str) -> None:
        """Begins a line where the element needs one of its own, behind a tab for each fold that it is in."""
        if tag in LINES:
            self.text += "\n" + "\t" * self._open.count("details")


def outline(page: str) -> str:
    """The headings, lines, tables and links of what a page shows. What can be unfolded is indented."""
    lines = []
    for line in _Outline(page).text.split("\n"):
        if text := " ".join(line.split()):
            folds = len(line) - len(line.lstrip("\t"))
            lines.append("\n" * text.startswith("#") + "  " * folds + text)
    return "\n".join(lines).lstrip() + "\n"
