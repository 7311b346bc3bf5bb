from collections.abc import Awaitable, Callable
from typing import Any

from baize.asgi import JSONResponse, PlainTextResponse, Request, Response, Router, request_response
from baize.exceptions import HTTPException, abort
from baize.typing import ASGIApp

import workload
from shared.source import TASK_FIELDS, source

View = Callable[[Request], Awaitable[Response]]


def endpoint(**views: View) -> ASGIApp:
    """A view for each method: BáiZé's router looks at paths only, and leaves it to the app to answer exceptions."""

    @request_response
    async def answer(request: Request) -> Response:
        view = views.get(request.method)
        if view is None:
            return Response(405, {"Allow": ", ".join(views)})
        try:
            return await view(request)
        except HTTPException as error:
            return PlainTextResponse(error.content or "", error.status_code, error.headers)

    return answer


async def hello_world(request: Request) -> Response:
    return PlainTextResponse("Hello World")


async def part(request: Request) -> Response:
    return JSONResponse({"part": request.path_params["part"]})


async def userinfo(request: Request) -> Response:
    user = await source.user()
    return JSONResponse({**user, "sub": f"{user['sub']}-{request.path_params['id']}"})


async def sprint(request: Request) -> Response:
    board = await source.sprint()
    return JSONResponse({**board, "sprint": {**board["sprint"], "id": request.path_params["id"]}})


async def create_task(request: Request) -> Response:
    task = await read_task(request)
    row = await source.task()
    return JSONResponse({**row, "board": request.path_params["id"], **task}, 201)


async def update_task(request: Request) -> Response:
    await source.save_task(await read_task(request))
    return Response(204)


async def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, LookupError):
        abort(400, content="The body is not a task.")


app = Router(
    ("/hello_world", endpoint(GET=hello_world)),
    *[
        (f"/route-{method.lower()}-{number}/{{part:int}}", endpoint(**{method: part}))
        for method in ("GET", "POST", "PUT")
        for number in range(10)
    ],
    ("/api/v1/userinfo/raw/{id:int}", endpoint(GET=userinfo)),
    ("/api/v1/sprint/raw/{id:int}", endpoint(GET=sprint)),
    ("/api/v1/board/raw/{id:int}/task", endpoint(POST=create_task, PUT=update_task)),
    ("/test", endpoint(POST=workload.queue)),
    ("/test/simple/raw", endpoint(POST=workload.simple)),
    ("/test/timed/raw", endpoint(POST=workload.timed)),
    ("/test/bcrypt", endpoint(POST=workload.bcrypt)),
    ("/test/status", endpoint(GET=workload.status)),
    ("/test/labels/{label}", endpoint(GET=workload.label)),
)
