"""results/history/<yyyy-mm>.jsonl: what the runs of a month found.

Lines are appended once and do not change. Only the line of an entry in a run that was resumed is replaced, by one with
more rounds. A run's line comes before the lines of its entries. Ten years of weekly runs of 40 entries with 23 cells
take less than 60 MB. Read them month by month.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from restbench.errors import ResultsError
from restbench.results.files import check_schema, schema_of
from restbench.results.history_lines import EntryLine, Found, RunLine, dump_line
from restbench.system.files import write_atomically

LINE: TypeAdapter[RunLine | EntryLine] = TypeAdapter(RunLine | EntryLine)


@dataclass
class History:
    """The lines of one file. `runs` has the lines of runs by their id. It has the run of each line in `entries`.

    `damage` says in one line what of the file cannot be read, and is None where all can.
    """

    runs: dict[str, RunLine] = field(default_factory=dict)
    entries: list[EntryLine] = field(default_factory=list)
    damage: str | None = None


def read_history(path: Path) -> History:
    """All lines of one month that can be read.

    A line that is not whole, has another schema, is no line of history, or has no line of its run before it costs
    itself alone. Empty lines are nothing.
    """
    history = History()
    wrong: list[str] = []
    try:
        content = path.read_bytes()
    except OSError as error:
        return History(damage=f"{path}: cannot be read ({error.strerror})")
    for number, text in enumerate(content.splitlines(), start=1):
        try:
            line = _parsed(f"line {number}", text) if text.strip() else None
        except ResultsError as error:
            wrong.append(error.message)
            continue
        if isinstance(line, RunLine):
            history.runs[line.run] = line
        elif line and line.run in history.runs:
            history.entries.append(line)
        elif line:
            wrong.append(f"line {number}: its run has no line before it: restore the file from git")
    if wrong:
        more = f"; {len(wrong) - 1} more cannot be read either" if len(wrong) > 1 else ""
        history.damage = f"{path}: {wrong[0]}{more}"
    return history


def _parsed(where: str, text: bytes) -> RunLine | EntryLine:
    """The line. Raises ResultsError, with `where` at the beginning, when it is no line of history."""
    try:
        return LINE.validate_json(text)
    except ValidationError as error:
        check_schema(where, _schema_of_line(text))
        raise ResultsError(f"{where} is not a whole line of history: restore the file from git") from error


def _schema_of_line(text: bytes) -> int | None:
    """The schema version that a line names. None where it names none, and where it is no JSON."""
    try:
        return schema_of(json.loads(text), "v")
    except (ValueError, RecursionError):
        return None


def append_history(folder: Path, found: Iterable[Found]) -> list[Path]:
    """Appends the lines that are not there yet, each to the month in which its run started.

    Returns the files that changed. What cannot be read stays as it is.
    """
    months: dict[Path, list[Found]] = defaultdict(list)
    for lines in found:
        months[folder / f"{lines.run.at:%Y-%m}.jsonl"].append(lines)
    contents = {path: _appended(path, additions) for path, additions in months.items()}
    for path, content in contents.items():
        if content is not None:
            write_atomically(path, content)
    return [path for path, content in contents.items() if content is not None]


def _appended(path: Path, additions: list[Found]) -> bytes | None:
    """The file's content with the additions; None where it already has all of them."""
    before = path.read_bytes() if path.is_file() else b""
    history = read_history(path) if before else History()
    runs, known = set(history.runs), {(line.run, line.entry): line for line in history.entries}
    added: list[str] = []
    replaced: dict[tuple[str, str], EntryLine] = {}
    for lines in additions:
        key = lines.run.run, lines.entry.entry
        if (old := known.get(key)) is None:
            if lines.run.run not in runs:
                runs.add(lines.run.run)
                added.append(dump_line(lines.run))
            added.append(dump_line(lines.entry))
        elif lines.entry.rounds > old.rounds:
            replaced[key] = lines.entry
        else:
            continue
        known[key] = lines.entry
    if not added and not replaced:
        return None
    content = _with_replaced(before, replaced) if replaced else before
    end = b"" if content.endswith(b"\n") or not content else b"\n"
    return content + end + "".join(f"{text}\n" for text in added).encode()


def _with_replaced(content: bytes, replaced: Mapping[tuple[str, str], EntryLine]) -> bytes:
    """The lines of a file, of which those of some runs and entries are replaced."""

    def line(text: bytes) -> bytes:
        try:
            found = _parsed("", text)
        except ResultsError:
            return text
        new = replaced.get((found.run, found.entry)) if isinstance(found, EntryLine) else None
        return dump_line(new).encode() if new else text

    return b"".join(line(text) + b"\n" for text in content.splitlines())
