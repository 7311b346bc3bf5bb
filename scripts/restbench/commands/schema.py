"""`restbench schema`: writes the JSON Schemas of the models.

Editors use them to complete manifests. Other programs use them to read results and the output of commands with --json.
"""

import json
import sys
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter

from restbench.catalog import FrameworkManifest, LanguageManifest, SuiteManifest
from restbench.changes.comparison import Comparison
from restbench.changes.records import ChangeRecord
from restbench.changes.regressions import Triage
from restbench.commands.changes import Changes
from restbench.commands.listing import Listing
from restbench.commands.verdicts import Verification
from restbench.results.history import LINE
from restbench.results.models import EntryResult
from restbench.system.advice import command_line
from restbench.system.files import write_atomically
from restbench.system.repository import find_repository

MODELS: dict[str, TypeAdapter[Any]] = {
    "framework": TypeAdapter(FrameworkManifest),
    "language": TypeAdapter(LanguageManifest),
    "suite": TypeAdapter(SuiteManifest),
    "result": TypeAdapter(EntryResult),
    "history": LINE,
    "comparison": TypeAdapter(Comparison),
    "change": TypeAdapter(ChangeRecord),
    "triage": TypeAdapter(Triage),
    "changes-output": TypeAdapter(Changes),
    "list-output": TypeAdapter(Listing),
    "verify-output": TypeAdapter(Verification),
}
"""Name of a schema → the model that it describes. COMMAND-output describes the output of COMMAND --json."""


def schema_texts() -> dict[str, str]:
    """Returns the content of each schema file, by file name."""
    texts = {}
    for name, model in MODELS.items():
        document = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | model.json_schema()
        texts[f"{name}.schema.json"] = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return texts


def schema(
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 if a schema is not current")] = False,
) -> int:
    """Writes the files in schemas/ that are not current, and prints their paths. Returns 0.

    With `check`, writes nothing, and returns 1 if a file is not current.
    """
    folder = find_repository().schemas
    texts = schema_texts()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.schema.json")}
    stale = [name for name, text in texts.items() if there.get(name) != text]
    if check:
        for name in stale:
            print(f"schemas/{name} is out of date: run {command_line('schema')}", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        write_atomically(folder / name, texts[name].encode())
        print(f"schemas/{name}")
    return 0
