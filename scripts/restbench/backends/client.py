"""The HTTP client with which the harness itself sends requests to Solr and the cache."""

from functools import cache

import httpx

TIMEOUT_SECONDS = 60.0
"""Long, because a commit waits for the disk, and other programs may be writing to the disk."""


@cache
def client() -> httpx.Client:
    """Returns the one client that all callers share.

    A new client reads this machine's certificates, which takes longer than an answer. The client keeps no connection
    open, because the server may have been restarted since the last request.
    """
    return httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))
