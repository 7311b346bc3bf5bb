"""The client of Solr for async apps, with a pool of kept-alive connections. Threaded apps use `blocking_solr`."""

import aiohttp

from shared.solr_query import CONNECTIONS, SELECT_URL, TIMEOUT_SECONDS, SolrUnavailable, parameters

__all__ = ["Solr", "SolrUnavailable", "solr"]


class Solr:
    """The client. It is opened when the server starts, and closed when it stops. `async with solr:` does both."""

    _session: aiohttp.ClientSession

    async def open(self) -> None:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=CONNECTIONS),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
        )

    async def close(self) -> None:
        await self._session.close()

    async def __aenter__(self) -> None:
        await self.open()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def select(self, document_type: int) -> bytes:
        """Returns Solr's JSON: {"response": {"docs": […], …}, …}. Raises SolrUnavailable."""
        try:
            async with self._session.get(SELECT_URL, params=parameters(document_type)) as answer:
                answer.raise_for_status()
                return await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SolrUnavailable from error


solr = Solr()  # one per process, even if several modules use it
