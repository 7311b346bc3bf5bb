"""How the harness itself asks Solr and the cache."""

from functools import cache

import httpx

TIMEOUT_SECONDS = 60.0
"""A commit waits for the disk, which others may be writing to."""


@cache
def client() -> httpx.Client:
    """One for all, as making one reads this machine's certificates, which takes longer than an answer. No connection is
    kept: what is asked may have been started anew meanwhile."""
    return httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))
