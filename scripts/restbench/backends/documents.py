"""The documents that Solr holds, and the query that returns them with their children nested."""

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx

from restbench.backends.client import client
from restbench.errors import BackendError

DOCUMENT_TYPE = 1
"""The type of all documents in the fixture."""


@cache
def read_documents(fixtures: Path) -> list[dict[str, Any]]:
    """Returns the documents of fixtures/solr/documents.json. All callers share the list: do not change it."""
    documents: list[dict[str, Any]] = json.loads((fixtures / "solr" / "documents.json").read_bytes())
    return documents


def query(document_type: int = DOCUMENT_TYPE) -> str:
    """Returns the query as apps send it: path and parameters, to be appended to the core's URL."""
    fields = "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]"
    return "/select?" + urlencode({"fl": fields, "q": "*:*", "rows": "100", "fq": f"document_type:{document_type}"})


def add(core: str, more: list[dict[str, Any]]) -> None:
    """Puts documents into the core, and waits for the commit. Raises BackendError."""
    _update(core, more)


def remove(core: str, identities: list[str]) -> None:
    """Removes documents and their children from the core, and waits for the commit. Raises BackendError."""
    roots = " ".join(f'"{identity}"' for identity in identities)
    _update(core, {"delete": {"query": f"_root_:({roots})"}})


def _update(core: str, command: object) -> None:
    try:
        client().post(f"{core}/update", params={"commit": "true"}, json=command).raise_for_status()
    except httpx.HTTPError as error:
        raise BackendError(f"Solr does not take an update: {error}") from error


def solr_version(solr: str) -> str:
    """Returns the version that Solr reports. Raises BackendError."""
    return str(_get(f"{solr}/admin/info/system")["lucene"]["solr-spec-version"])


def verify(core: str, documents: list[dict[str, Any]]) -> None:
    """Raises BackendError unless the query returns all documents unchanged, with their children nested."""
    answered = _get(core + query())["response"]["docs"]
    if len(answered) != len(documents):
        raise BackendError(f"Solr brings back {len(answered)} of {len(documents)} documents")
    for given, got in zip(documents, answered, strict=True):
        if given != got:
            raise BackendError(f"Solr brings document {given['id']} back differently", f"{given}\n{got}")


def _get(url: str) -> Any:
    try:
        return client().get(url).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        raise BackendError(f"Solr does not answer as it should: {error}") from error
