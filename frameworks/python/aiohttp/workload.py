import asyncio

from aiohttp import web

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

routes = web.RouteTableDef()


@routes.post("/test/simple/raw")
async def simple(request: web.Request) -> web.Response:
    payload = await read_text(request, "payload")
    return web.json_response({"payload": greeting(payload)})


@routes.post("/test/timed/raw")
async def timed(request: web.Request) -> web.Response:
    payload = await read_text(request, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return web.json_response({"payload": greeting(payload)})


@routes.post("/test/bcrypt")
async def bcrypt(request: web.Request) -> web.Response:
    payload = await read_text(request, "payload")
    return web.json_response({"payload": await asyncio.to_thread(hash_password, payload)})


@routes.get("/test/status")
async def status(request: web.Request) -> web.Response:
    return web.Response(text="OK")


@routes.get("/test/labels/{label:[^/]+}")  # without a pattern of its own, it takes no braces
async def get_label(request: web.Request) -> web.Response:
    return web.Response(text=request.match_info["label"])


@routes.post("/test")
async def queue(request: web.Request) -> web.Response:
    message = await read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return web.json_response({"message": message, "note": PROCESSING_NOTE})


async def read_text(request: web.Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.json())[key]
    except (ValueError, TypeError, LookupError) as error:  # an unknown charset is a LookupError
        raise web.HTTPBadRequest(text=f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise web.HTTPBadRequest(text=f"{key} is not a text.")
    return text
