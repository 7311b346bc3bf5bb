import asyncio

from pydantic.dataclasses import dataclass
from quart import Blueprint
from quart_schema import validate_request, validate_response

from shared.work import TIMED_SECONDS, greeting

blueprint = Blueprint("workload_dataclasses", __name__, url_prefix="/test")


@dataclass
class Payload:
    payload: str


@blueprint.post("/simple/dataclasses")
@validate_request(Payload)
@validate_response(Payload)
async def simple(data: Payload) -> Payload:
    return Payload(payload=greeting(data.payload))


@blueprint.post("/timed/dataclasses")
@validate_request(Payload)
@validate_response(Payload)
async def timed(data: Payload) -> Payload:
    await asyncio.sleep(TIMED_SECONDS)
    return Payload(payload=greeting(data.payload))
