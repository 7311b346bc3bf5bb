"""results/history/<yyyy-mm>.jsonl: what the runs of a month found. Lines are appended once and never changed.

A run's line comes before the lines of its entries. Ten years of weekly runs of 40 entries with 23 cells take less than
60 MB. Read them month by month.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from restbench.errors import ResultsError
from restbench.results.files import check_schema, schema_of
from restbench.results.history_lines import EntryLine, Found, RunLine, dump_line
from restbench.system.files import write_atomically

LINE: TypeAdapter[RunLine | EntryLine] = TypeAdapter(RunLine | EntryLine)


@dataclass(frozen=True)
class History:
    """The lines of one file. `runs` has the lines of runs by their id. It has the run of each line in `entries`."""

    runs: dict[str, RunLine] = field(default_factory=dict)
    entries: list[EntryLine] = field(default_factory=list)


def read_history(path: Path) -> History:
    """All lines of one month.

    Raises ResultsError when a line is not whole, has another schema, is not a line of history, or has no line of its
    run before it. The message names the file and the line.
    """
    history = History()
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            line = LINE.validate_json(text)
        except ValidationError as error:
            check_schema(f"{path}: line {number}", _schema_of_line(text))
            raise ResultsError(
                f"{path}: line {number} is not a whole line of history: restore the file from git"
            ) from error
        if isinstance(line, RunLine):
            history.runs[line.run] = line
        elif line.run in history.runs:
            history.entries.append(line)
        else:
            raise ResultsError(f"{path}: line {number}: its run has no line before it: restore the file from git")
    return history


def _schema_of_line(text: bytes) -> int | None:
    """The schema version that a line names. None where it names none, and where it is no JSON."""
    try:
        return schema_of(json.loads(text), "v")
    except (ValueError, RecursionError):
        return None


def append_history(folder: Path, found: Iterable[Found]) -> list[Path]:
    """Appends the lines that are not there yet, each to the month in which its run started.

    Returns the files that changed. Raises ResultsError, having written nothing, when one of the files cannot be read.
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
    runs, known = set(history.runs), {(line.run, line.entry) for line in history.entries}
    added: list[str] = []
    for lines in additions:
        if (lines.run.run, lines.entry.entry) in known:
            continue
        known.add((lines.run.run, lines.entry.entry))
        if lines.run.run not in runs:
            runs.add(lines.run.run)
            added.append(dump_line(lines.run))
        added.append(dump_line(lines.entry))
    if not added:
        return None
    end = b"" if before.endswith(b"\n") or not before else b"\n"
    return before + end + "".join(f"{text}\n" for text in added).encode()
