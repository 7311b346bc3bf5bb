"""What a suite needs in addition to the app: Solr, and the HTTP cache in front of it."""

from restbench.backends.choose import BACKENDS, backend_kind, make_backend
from restbench.backends.interface import Backend, Outage

__all__ = ["BACKENDS", "Backend", "Outage", "backend_kind", "make_backend"]
