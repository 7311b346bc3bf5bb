"""How many threads a load generator gets."""


def threads_for(connections: int, cpus: int, at_most: int | None = None) -> int:
    """Returns the most threads that share the connections evenly, up to one per CPU and up to `at_most`.

    wrk opens connections // threads in each thread, so any other number would open fewer connections than asked for.
    """
    most = min(connections, cpus, at_most or cpus)
    return next(threads for threads in range(most, 0, -1) if connections % threads == 0)
