from typing import Any

from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPBadRequest, HTTPNoContent
from pyramid.request import Request
from pyramid.response import Response
from pyramid.view import view_config

from shared.blocking_source import TASK_FIELDS, source


def includeme(config: Configurator) -> None:
    config.add_route("userinfo", r"/userinfo/raw/{user_id:\d+}")
    config.add_route("sprint", r"/sprint/raw/{sprint_id:\d+}")
    config.add_route("tasks", r"/board/raw/{board_id:\d+}/task")
    config.scan(__name__)


@view_config(route_name="userinfo", request_method="GET", renderer="json")
def userinfo(request: Request) -> dict[str, Any]:
    user = source.user()
    return {**user, "sub": f"{user['sub']}-{int(request.matchdict['user_id'])}"}


@view_config(route_name="sprint", request_method="GET", renderer="json")
def sprint(request: Request) -> dict[str, Any]:
    board = source.sprint()
    return {**board, "sprint": {**board["sprint"], "id": int(request.matchdict["sprint_id"])}}


@view_config(route_name="tasks", request_method="POST", renderer="json")
def create_task(request: Request) -> dict[str, Any]:
    task = read_task(request)
    row = source.task()
    request.response.status_code = 201
    return {**row, "board": int(request.matchdict["board_id"]), **task}


@view_config(route_name="tasks", request_method="PUT")
def update_task(request: Request) -> Response:
    source.save_task(read_task(request))
    return HTTPNoContent()


def read_task(request: Request) -> dict[str, Any]:
    """The fields of a task; whatever else was sent is ignored."""
    try:
        body = request.json_body
        return {field: body[field] for field in TASK_FIELDS}
    except (ValueError, TypeError, LookupError) as error:  # an unknown charset is a LookupError
        raise HTTPBadRequest("The body is not a task.") from error
