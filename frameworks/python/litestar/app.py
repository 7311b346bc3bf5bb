from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from litestar import Litestar, MediaType, get, post, put
from litestar.openapi import OpenAPIConfig
from litestar.params import FromPath
from litestar.plugins.pydantic import PydanticPlugin
from litestar.status_codes import HTTP_200_OK

import issue_tracker_dataclasses
import issue_tracker_msgspec
import issue_tracker_pydantic
import issue_tracker_raw
import registry_msgspec
import registry_pydantic
import workload
import workload_msgspec
from shared.solr import solr


@get("/hello_world", media_type=MediaType.TEXT, sync_to_thread=False)
def hello_world() -> str:
    return "Hello World"


@get([f"/route-get-{number}/{{part:int}}" for number in range(10)], sync_to_thread=False)
def read_part(part: FromPath[int]) -> dict[str, int]:
    return {"part": part}


@post([f"/route-post-{number}/{{part:int}}" for number in range(10)], status_code=HTTP_200_OK, sync_to_thread=False)
def create_part(part: FromPath[int]) -> dict[str, int]:
    return {"part": part}


@put([f"/route-put-{number}/{{part:int}}" for number in range(10)], sync_to_thread=False)
def replace_part(part: FromPath[int]) -> dict[str, int]:
    return {"part": part}


@asynccontextmanager
async def solr_connections(app: Litestar) -> AsyncGenerator[None, None]:
    async with solr:
        yield


app = Litestar(
    route_handlers=[
        hello_world,
        read_part,
        create_part,
        replace_part,
        issue_tracker_raw.router,
        issue_tracker_dataclasses.router,
        issue_tracker_msgspec.router,
        issue_tracker_pydantic.router,
        workload.router,
        workload_msgspec.router,
        registry_msgspec.router,
        registry_pydantic.router,
    ],
    lifespan=[solr_connections],
    openapi_config=OpenAPIConfig(title="restbench", version="1.0.0"),
    plugins=[PydanticPlugin(exclude_none=True)],
)
