from collections.abc import Awaitable, Callable

from baize.asgi import JSONResponse, PlainTextResponse, Request, Response, Router, decorator, request_response
from baize.exceptions import HTTPException
from baize.typing import ASGIApp

import issue_tracker
import workload

View = Callable[[Request], Awaitable[Response]]


@decorator
async def answer_exceptions(request: Request, next_call: View) -> Response:
    """BáiZé leaves it to the app to make answers of exceptions."""
    try:
        return await next_call(request)
    except HTTPException as error:
        return PlainTextResponse(error.content or "", error.status_code, error.headers)


def by_method(**views: View) -> ASGIApp:
    """A view for each method, because BáiZé's router looks at paths only."""

    @request_response
    @answer_exceptions
    async def view(request: Request) -> Response:
        if request.method not in views:
            raise HTTPException(405, {"Allow": ", ".join(views)})
        return await views[request.method](request)

    return view


async def hello_world(request: Request) -> Response:
    return PlainTextResponse("Hello World")


async def read_part(request: Request) -> Response:
    return JSONResponse({"part": request.path_params["part"]})


app = Router(
    ("/hello_world", by_method(GET=hello_world)),
    *[
        (f"/route-{method.lower()}-{number}/{{part:int}}", by_method(**{method: read_part}))
        for method in ("GET", "POST", "PUT")
        for number in range(10)
    ],
    ("/api/v1/userinfo/raw/{user_id:int}", by_method(GET=issue_tracker.userinfo)),
    ("/api/v1/sprint/raw/{sprint_id:int}", by_method(GET=issue_tracker.sprint)),
    (
        "/api/v1/board/raw/{board_id:int}/task",
        by_method(POST=issue_tracker.create_task, PUT=issue_tracker.update_task),
    ),
    ("/test", by_method(POST=workload.queue)),
    ("/test/simple/raw", by_method(POST=workload.simple)),
    ("/test/timed/raw", by_method(POST=workload.timed)),
    ("/test/bcrypt", by_method(POST=workload.bcrypt)),
    ("/test/status", by_method(GET=workload.status)),
    ("/test/labels/{label}", by_method(GET=workload.get_label)),
)
