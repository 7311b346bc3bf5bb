"""Which backend a selection has, before anything is started."""

from dataclasses import replace
from pathlib import Path

import pytest

from restbench.backends import make_backend
from restbench.catalog import Catalog, Entry
from restbench.commands.selection import Selection
from restbench.errors import BackendError, UsageError
from restbench.system.repository import Repository
from restbench.targets.native import NativeRuntime


def selection(catalog: Catalog, suites: list[str], entry: Entry) -> Selection:
    repository = Repository(Path("/nowhere"))
    return Selection(repository, catalog, [entry], suites, NativeRuntime(repository), [])


def with_backend(entry: Entry, **backends: str) -> Entry:
    """The entry, of which suites have other backends."""
    changed = {
        name: replace(entry.suites[name], manifest=entry.suites[name].manifest.model_copy(update={"backend": backend}))
        for name, backend in backends.items()
    }
    return replace(entry, suites={**entry.suites, **changed})


def test_a_selection_has_the_backend_of_its_suites(catalog: Catalog) -> None:
    falcon = catalog.entries["python/falcon"]
    assert selection(catalog, ["hello", "solr"], falcon).backend == "solr"
    assert selection(catalog, ["hello"], falcon).backend is None


def test_one_backend_runs_at_a_time(catalog: Catalog) -> None:
    falcon = with_backend(catalog.entries["python/falcon"], hello="postgres")
    with pytest.raises(UsageError, match="the suites asked for need postgres and solr: name suites that need one"):
        _ = selection(catalog, ["hello", "solr"], falcon).backend


def test_an_unknown_backend_is_named_with_what_is_near(catalog: Catalog) -> None:
    with pytest.raises(BackendError, match=r"no backend is called solrr; did you mean solr\?"):
        make_backend("solrr", "native", Repository(Path("/nowhere")), cpus=None)
