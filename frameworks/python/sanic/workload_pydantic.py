import asyncio

from pydantic import BaseModel
from sanic import Blueprint, HTTPResponse, Request, json
from sanic_ext import validate

from shared.work import TIMED_SECONDS, greeting

blueprint = Blueprint("workload_pydantic", url_prefix="/test")


class Payload(BaseModel):
    payload: str


@blueprint.post("/simple/pydantic")
@validate(json=Payload)
async def simple(request: Request, body: Payload) -> HTTPResponse:
    return json(Payload(payload=greeting(body.payload)).model_dump(mode="json"))


@blueprint.post("/timed/pydantic")
@validate(json=Payload)
async def timed(request: Request, body: Payload) -> HTTPResponse:
    await asyncio.sleep(TIMED_SECONDS)
    return json(Payload(payload=greeting(body.payload)).model_dump(mode="json"))
