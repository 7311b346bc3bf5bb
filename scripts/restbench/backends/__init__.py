"""What a suite needs in addition to the app: Solr, and the HTTP cache in front of it."""

from restbench.backends.choose import make_backend
from restbench.backends.interface import Backend, Outage
from restbench.backends.solr import SOLR

__all__ = ["SOLR", "Backend", "Outage", "make_backend"]
