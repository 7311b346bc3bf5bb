from squall import Num, Path, Request, Squall
from squall.exceptions import RequestHeadValidationError
from squall.responses import JSONResponse, PlainTextResponse

import issue_tracker_dataclasses
import issue_tracker_raw
import registry
import workload
import workload_dataclasses
from shared.solr import SolrUnavailable, solr

app = Squall(title="restbench")


@app.on_event("startup")
async def open_solr() -> None:
    await solr.open()


@app.on_event("shutdown")
async def close_solr() -> None:
    await solr.close()


@app.exception_handler(RequestHeadValidationError)
async def parameters_are_wrong(request: Request, error: RequestHeadValidationError) -> JSONResponse:
    """Squall's own repeats the value too, and breaks at a number of more than 64 bits, which orjson does not write."""
    details = [{"loc": mistake["loc"], "msg": mistake["msg"]} for mistake in error.errors]
    return JSONResponse({"details": details}, status_code=400)


@app.exception_handler(SolrUnavailable)
async def solr_is_unavailable(request: Request, error: SolrUnavailable) -> JSONResponse:
    return JSONResponse({"detail": "Solr does not answer"}, status_code=503)


@app.get("/hello_world", response_class=PlainTextResponse)
async def hello_world() -> str:
    return "Hello World"


# the bounds are the contract's; without them numbers of more than 64 bits get here, which orjson does not write
async def read_part(part: int = Path(valid=Num(ge=0, le=2**31 - 1))) -> dict[str, int]:
    return {"part": part}


for number in range(10):
    app.get(f"/route-get-{number}/{{part}}")(read_part)
    app.post(f"/route-post-{number}/{{part}}")(read_part)
    app.put(f"/route-put-{number}/{{part}}")(read_part)

app.include_router(issue_tracker_raw.router)
app.include_router(issue_tracker_dataclasses.router)
app.include_router(workload.router)
app.include_router(workload_dataclasses.router)
app.include_router(registry.router)
