"""A request is its bytes, however they arrive: thousands of random cuts against apps of five languages."""

import random

import pytest

from restbench.catalog import USUAL_SETUP, load_catalog
from restbench.conformance import Client
from restbench.conformance.contracts import contract_of
from restbench.conformance.pieces import cut
from restbench.measure.tools import wait_ready
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.native import NativeRuntime

pytestmark = [pytest.mark.slow, pytest.mark.extended, pytest.mark.timeout(1800)]

ENTRIES = ["python/falcon", "rust/axum", "go/nethttp", "typescript/fastify", "java/jooby"]
CUTS = 10_000
MOST_PIECES = 4


@pytest.mark.parametrize("name", ENTRIES)
def test_no_cut_changes_an_answer(name: str) -> None:
    entry = load_catalog(find_repository()).entries[name]
    runtime, rng = NativeRuntime(find_repository()), random.Random(0)
    if missing := runtime.unavailable_reason(entry):
        pytest.skip(missing)
    runtime.build(entry)
    cells = entry.by_setup(entry.cells(["hello", "issue-tracker", "workload"]))[USUAL_SETUP]
    # a hash takes long, and whether it is right can be asked in the other cells as well
    contracts = [contract_of(entry, cell) for cell in cells if not entry.scenario(cell).computes]
    with runtime.target(entry, Settings(this_machine().app)) as target, Client(target.base_url) as client:
        wait_ready(target, entry, cells[0], random.Random(1))
        for number in range(CUTS):
            contract = contracts[number % len(contracts)]
            identity, body = contract.random_id(rng), contract.random_body(rng)
            request = contract.request(client, identity, body)
            pieces = cut(
                request.written, (rng.randrange(1, len(request.written)) for _ in range(rng.randrange(1, MOST_PIECES)))
            )
            (answer,) = client.send([request], pieces)
            contract.check(answer, identity, body)
