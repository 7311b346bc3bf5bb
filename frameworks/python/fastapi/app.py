from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, status
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse

import issue_tracker_dataclasses
import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload
import workload_pydantic
from shared.solr import SolrUnavailable, solr


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with solr:
        yield


app = FastAPI(title="restbench", lifespan=lifespan)


@app.exception_handler(SolrUnavailable)
async def solr_is_unavailable(request: Request, error: SolrUnavailable) -> JSONResponse:
    return JSONResponse({"detail": "Solr does not answer"}, status.HTTP_503_SERVICE_UNAVAILABLE)


# FastAPI's own handler repeats the input, and answers 500 if that has a number that JSON lacks, such as NaN.
@app.exception_handler(RequestValidationError)
async def request_is_invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    details = [{"loc": each["loc"], "msg": each["msg"], "type": each["type"]} for each in error.errors()]
    return JSONResponse({"detail": details}, status.HTTP_422_UNPROCESSABLE_CONTENT)


@app.get("/hello_world")
async def hello_world() -> PlainTextResponse:
    return PlainTextResponse("Hello World")


async def read_part(part: int) -> dict[str, int]:
    return {"part": part}


for number in range(10):
    app.get(f"/route-get-{number}/{{part}}")(read_part)
    app.post(f"/route-post-{number}/{{part}}")(read_part)
    app.put(f"/route-put-{number}/{{part}}")(read_part)

app.include_router(issue_tracker_raw.router, prefix="/api/v1")
app.include_router(issue_tracker_dataclasses.router, prefix="/api/v1")
app.include_router(issue_tracker_pydantic.router, prefix="/api/v1")
app.include_router(workload.router, prefix="/test")
app.include_router(workload_pydantic.router, prefix="/test")
app.include_router(registry.router)
