"""Runs of profile `full`, as jobs of the service describe them."""

from datetime import datetime
from random import Random

from restbench.catalog.profiles import find_profile
from restbench.results.models import Ceiling, Machine, Run
from restbench.results.rounds import round_to
from tests.unit.records import START, a_run

FULL = find_profile("full")
MACHINE = Machine(
    machine_class="docker-x86_64-4cpu",
    cpu_model="AMD EPYC 7763 64-Core Processor",
    cpus=4,
    app_cpus=(2, 3),
    load_cpus=(0, 1),
    backend_cpus=(0, 1),
    pinned=True,
    memory_bytes=16_772_575_232,
    kernel="6.11.0-1018-azure",
    runner="ubuntu24 20251102.99.1",
    docker="28.0.4",
    load_generators=("wrk 4.1.0-4build2", "oha 1.16.0"),
    restbench="0.1.0",
    harness_hash="cc08af43fbfe",
)


def a_full_run(identity: str, started: datetime = START) -> Run:
    """The run of one job. Its identity decides the facts that differ from run to run."""
    rng = Random(identity)
    return a_run(
        identity,
        started,
        target="docker",
        profile=FULL.name,
        machine=MACHINE,
        runtime="CPython 3.13.5",
        runtime_build="PGO, LTO",
        files_hash="733f08776dc2",
        size_bytes=rng.randrange(166_000_000, 168_000_000),
        build_seconds=round(rng.uniform(30, 60), 1),
        start_seconds=round_to(rng.uniform(0.3, 0.6)),
        licence="Apache-2.0",
        packages=30,
        code_lines=348,
        idle_cpu_share=round_to(rng.uniform(0, 1e-4)),
        memory_start_bytes=round(round_to(rng.uniform(40e6, 42e6))),
        memory_peak_bytes=round(round_to(rng.uniform(80e6, 90e6))),
        memory_after_bytes=round(round_to(rng.uniform(60e6, 70e6))),
        ceiling=Ceiling(
            backend="solr",
            versions="Solr 9.10.1, Varnish 7.7.0",
            cached=round_to(rng.uniform(14e3, 16e3)),
            uncached=round_to(rng.uniform(85, 90)),
            start_seconds=round_to(rng.uniform(5, 7)),
            memory_bytes=round(round_to(rng.uniform(24e7, 34e7))),
        ),
    )
