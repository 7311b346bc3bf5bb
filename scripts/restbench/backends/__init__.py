"""What a suite needs beside the app: Solr, and the HTTP cache in front of it."""

from restbench.backends.choose import make_backend
from restbench.backends.interface import Backend, Outage

__all__ = ["Backend", "Outage", "make_backend"]
