import asyncio

from pydantic import BaseModel
from quart import Blueprint
from quart_schema import validate_request, validate_response

from shared.work import TIMED_SECONDS, greeting

blueprint = Blueprint("workload_pydantic", __name__, url_prefix="/test")


class Payload(BaseModel):
    payload: str


@blueprint.post("/simple/pydantic")
@validate_request(Payload)
@validate_response(Payload)
async def simple(data: Payload) -> Payload:
    return Payload(payload=greeting(data.payload))


@blueprint.post("/timed/pydantic")
@validate_request(Payload)
@validate_response(Payload)
async def timed(data: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(data.payload))
