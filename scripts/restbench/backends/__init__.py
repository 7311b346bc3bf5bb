"""What a suite needs in addition to the app: Solr, and the HTTP cache in front of it."""

from restbench.backends.choose import make_backend
from restbench.backends.solr import SOLR, Backend, Outage

__all__ = ["SOLR", "Backend", "Outage", "make_backend"]
