from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

import workload
from shared.source import TASK_FIELDS, source


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
    return JSONResponse({**row, "board": request.path_params["id"], **task}, status_code=201)


async def update_task(request: Request) -> Response:
    await source.save_task(await read_task(request))
    return Response(status_code=204)


async def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = await request.json()
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPException(400, detail="The body is not a task.") from error


app = Starlette(
    routes=[
        Route("/hello_world", hello_world),
        *[
            Route(f"/route-{method.lower()}-{number}/{{part:int}}", part, methods=[method])
            for method in ("GET", "POST", "PUT")
            for number in range(10)
        ],
        Route("/api/v1/userinfo/raw/{id:int}", userinfo),
        Route("/api/v1/sprint/raw/{id:int}", sprint),
        Route("/api/v1/board/raw/{id:int}/task", create_task, methods=["POST"]),
        Route("/api/v1/board/raw/{id:int}/task", update_task, methods=["PUT"]),
        *workload.routes,
    ]
)
