"""results/triage.toml: what a person said of change records. A record that was judged is reported no more."""

import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from restbench.changes.records import ChangeRecord, Identifier
from restbench.errors import ResultsError
from restbench.results.files import first_mistake

TRIAGE = "triage.toml"


class Judged(StrEnum):
    """What a record was judged to be: meant to be so, gone by now, or not caused by the entry."""

    EXPECTED = "expected"
    MENDED = "mended"
    NOT_OURS = "not ours"


class Judgement(BaseModel):
    """What a person said of a record, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Judged
    why: Annotated[str, Field(min_length=1, max_length=500)]


Triage = dict[Identifier, Judgement]
"""Judgements by the id of their record."""

_FILE: TypeAdapter[Triage] = TypeAdapter(Triage)


def read_triage(path: Path) -> Triage:
    """The judgements of the file. A missing file has none.

    Raises ResultsError with the key and a remedy where the file cannot be read.
    """
    if not path.is_file():
        return {}
    try:
        return _FILE.validate_python(tomllib.loads(path.read_text()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: is no TOML: {error}: mend it, or remove the table") from error
    except ValidationError as error:
        known = ", ".join(Judged)
        raise ResultsError(
            f'{path}: {first_mistake(error)}: a table is named by the id of a record, such as ["0123456789ab"], and '
            f"has a verdict ({known}) and why"
        ) from error


def unknown_ids(triage: Mapping[str, Judgement], records: Iterable[ChangeRecord]) -> list[str]:
    """A line for each id that no record has."""
    known = {record.id for record in records}
    return [
        f"{TRIAGE}: no change record has the id {identifier}: remove it, or look it up with restbench changes"
        for identifier in triage
        if identifier not in known
    ]
