"""Collects the facts of an entry from its manifest and from the run that measured most of its cells."""

from restbench.board.models import FactsRow
from restbench.catalog import Entry
from restbench.results.models import Run

OWN_SERVER = "its own"
"""Shown as the server of an entry whose framework has a server of its own."""


def facts_row(entry: Entry, run: Run) -> FactsRow:
    return FactsRow(
        entry=entry.id,
        title=entry.title,
        language=entry.language.manifest.title,
        homepage=entry.manifest.homepage,
        documentation=entry.manifest.documentation or entry.manifest.homepage,
        source=entry.manifest.source,
        version=run.version,
        interface=entry.manifest.interface,
        server=entry.manifest.server or OWN_SERVER,
        openapi=entry.writes_openapi,
        unmaintained=entry.manifest.status == "unmaintained",
        runtime=run.runtime,
        runtime_build=run.runtime_build,
        released=run.released,
        licence=run.licence,
        packages=run.packages,
        code_lines=run.code_lines,
        build_seconds=run.build_seconds,
        idle_cpu_share=run.idle_cpu_share,
        start_seconds=run.start_seconds,
        memory_start_bytes=run.memory_start_bytes,
        memory_peak_bytes=run.memory_peak_bytes,
        memory_after_bytes=run.memory_after_bytes,
        size_bytes=run.size_bytes,
    )
