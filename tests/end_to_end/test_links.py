"""A delay that is really there, where the kernel can make one."""

import random
import time

import httpx
import pytest

from restbench.catalog import load_catalog
from restbench.loadgen import WRK, Load
from restbench.loadgen.interface import request_shape
from restbench.measure.tools import contract_variables, wait_ready
from restbench.system.cpus import this_machine
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.links import native_link_unavailable_reason
from restbench.targets.native import NativeRuntime

pytestmark = pytest.mark.slow


@pytest.mark.needs("links", "wrk")
def test_far_clients_wait_for_both_ways() -> None:
    entry = load_catalog(find_repository()).entries["python/starlette"]
    runtime = NativeRuntime(find_repository())
    runtime.build(entry)
    cell = next(cell for cell in entry.cells(["workload"]) if cell.scenario == "queue-0ms-all-far")
    shape = request_shape(entry.suites["workload"], entry.scenario(cell), cell)
    with runtime.target(entry, Settings(this_machine().app, True, contract_variables())) as target:
        wait_ready(target, entry, cell, random.Random(1))
        with target.link(25) as link:
            load = Load(30, 10, 1, None, requests=100, through=link.through)
            far = WRK.run(link.base_url, shape, load)
        began = time.monotonic()
        httpx.get(f"{target.base_url}/test/status", trust_env=False)
        near = time.monotonic() - began
    assert far.requests == 100
    assert far.mean_ms >= 50
    assert near < far.mean_ms / 1e3


def test_a_machine_that_cannot_delay_says_what_it_lacks() -> None:
    trouble = native_link_unavailable_reason()
    assert trouble is None or trouble.startswith("this machine cannot delay a link: ")
