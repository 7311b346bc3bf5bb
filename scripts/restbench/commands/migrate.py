"""`restbench migrate`: converts results of an older schema to the current schema. This is needed once."""

from restbench.catalog import Catalog, load_catalog
from restbench.catalog.baselines import has_duets
from restbench.measure.alone import HARNESS_BCRYPT
from restbench.results import schema1
from restbench.results.files import check_schema, read_document, schema_of, write_entry
from restbench.results.merge import HISTORY, LATEST
from restbench.results.models import EntryResult
from restbench.system.repository import find_repository


def migrate() -> None:
    """Converts results/latest, and moves the history of older runs to a folder of its own. Prints what changed.

    Raises ResultsError if something cannot be read. Nothing is changed then.
    """
    repository = find_repository()
    catalog = load_catalog(repository).check()
    latest, counts = repository.results / LATEST, schema1.Counts()
    converted: list[EntryResult] = []
    for path in sorted(latest.glob("*/*.json")):
        document = read_document(path)
        if schema_of(document) != 1:
            check_schema(str(path), schema_of(document))
            continue
        old = schema1.read_entry(path, document)
        converted.append(schema1.convert(old, _conversion(catalog, old.entry)))
        counts += schema1.count(old)
    history = repository.results / HISTORY
    apart = schema1.set_history_apart(history)
    for path in [*apart, *(write_entry(latest, result) for result in converted)]:
        print(repository.relative(path))
    if converted:
        print(_summary(len(converted), counts))
    if apart:
        print(f"the history of older runs is in {repository.relative(history / schema1.HISTORY)}/")
    if not converted and not apart:
        print("nothing to convert: results/ has the current schema")


def _summary(results: int, counts: schema1.Counts) -> str:
    return (
        f"converted: {results} results, {counts.rounds:,} rounds as they were measured, of which {counts.refused:,} do "
        f"not count; dropped: {counts.latencies:,} latencies at a fixed rate, which was half of the throughput "
        "of one second before the rounds"
    )


def _conversion(catalog: Catalog, name: str) -> schema1.Conversion:
    """Returns which cells of an entry keep overhead, and which would have duet rounds today.

    Overhead is kept where the entry computes with the library that the harness timed alone.
    """
    entry = catalog.entries.get(name)
    if entry is None:
        return schema1.Conversion((), ())
    scenarios = [(suite.name, scenario) for suite in entry.suites.values() for scenario in suite.scenarios]
    language = entry.language.manifest
    compared = language.ranked and language.baseline != entry.name
    return schema1.Conversion(
        overhead=[(suite, s.name) for suite, s in scenarios if s.computes and language.bcrypt == HARNESS_BCRYPT],
        duets=[(suite, s.name) for suite, s in scenarios if compared and has_duets(s)],
    )
