import os
from typing import Any

from django.core.asgi import get_asgi_application

from shared.solr import solr

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")

django_application = get_asgi_application()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Opens the client of Solr while the server runs. Django itself takes no lifespan events."""
    if scope["type"] != "lifespan":
        await django_application(scope, receive, send)
        return
    await receive()
    async with solr:
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})
