"""The client of Solr for async apps, with a pool of kept-alive connections. Threaded apps use `blocking_solr`."""

from types import TracebackType
from typing import Self

import aiohttp

from shared.solr_query import CONNECTIONS, SELECT_URL, TIMEOUT_SECONDS, SolrUnavailable, parameters

__all__ = ["Solr", "SolrUnavailable", "solr"]


class Solr:
    """The client. The app runs within `async with solr:`."""

    _session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=CONNECTIONS),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def select(self, document_type: int) -> bytes:
        """Returns Solr's JSON: {"response": {"docs": […], …}, …}. Raises SolrUnavailable."""
        try:
            async with self._session.get(SELECT_URL, params=parameters(document_type)) as answer:
                answer.raise_for_status()
                return await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SolrUnavailable from error


solr = Solr()  # one per process, even if several modules use it
