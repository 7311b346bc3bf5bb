import asyncio

from aiohttp import web
from aiohttp_pydantic.decorator import inject_params
from aiohttp_pydantic.oas.typing import r200
from pydantic import BaseModel

from shared.work import TIMED_SECONDS, greeting

routes = web.RouteTableDef()


class Payload(BaseModel):
    payload: str


@routes.post("/test/simple/pydantic")
@inject_params
async def simple(body: Payload) -> r200[Payload]:
    return web.json_response(Payload(payload=greeting(body.payload)).model_dump())


@routes.post("/test/timed/pydantic")
@inject_params
async def timed(body: Payload) -> r200[Payload]:
    await asyncio.sleep(TIMED_SECONDS)
    return web.json_response(Payload(payload=greeting(body.payload)).model_dump())
