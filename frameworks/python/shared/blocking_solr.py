"""The client of Solr for threaded apps, with a pool of kept-alive connections. Async apps use `solr`."""

import requests
from requests.adapters import HTTPAdapter

from shared.solr_query import CONNECTIONS, SELECT_URL, TIMEOUT_SECONDS, SolrUnavailable, parameters

__all__ = ["Solr", "SolrUnavailable", "solr"]


class Solr:
    def __init__(self) -> None:
        self._session = requests.Session()
        self._session.mount("http://", HTTPAdapter(pool_maxsize=CONNECTIONS))

    def select(self, document_type: int) -> bytes:
        """Returns Solr's JSON: {"response": {"docs": […], …}, …}. Raises SolrUnavailable."""
        try:
            answer = self._session.get(SELECT_URL, params=parameters(document_type), timeout=TIMEOUT_SECONDS)
            answer.raise_for_status()
        except requests.RequestException as error:
            raise SolrUnavailable from error
        return answer.content


solr = Solr()  # one per process, even if several modules use it
