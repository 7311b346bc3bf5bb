"""`restbench solr`: runs Solr and its cache without an app, for developers of an entry."""

import sys
import time

from restbench.backends import SOLR, make_backend
from restbench.backends.programs import CORE_PATH
from restbench.commands.options import Port, TargetName
from restbench.errors import Interrupted
from restbench.system.repository import find_repository
from restbench.targets import choose_runtime, remove_orphans


def solr(target: TargetName = "auto", port: Port = None) -> None:
    """Runs Solr and the cache until Ctrl-C. Raises BackendError if something is missing."""
    repository = find_repository()
    runtime = choose_runtime(target, [], repository)
    for orphan in remove_orphans():
        print(f"removed what an earlier run left behind: {orphan}", file=sys.stderr)
    print("starting Solr and the cache in front of it; the first start downloads the jars of Solr", file=sys.stderr)
    with make_backend(SOLR, runtime.name, repository, cpus=None, port=port) as backend:
        memory = backend.resources().memory_bytes / 1e6
        print(
            f"{backend.versions()}: up, filled and warm after {backend.start_seconds:.1f} s, {memory:,.0f} MB resident"
        )
        print("Apps find it by this variable; Ctrl-C stops both.\n")
        print(f"  export SOLR_URL={backend.front}{CORE_PATH}\n", flush=True)
        try:
            while True:
                time.sleep(1)  # not signal.pause(), which misses a signal that comes just before it
        except Interrupted:
            print("stopped", file=sys.stderr)
