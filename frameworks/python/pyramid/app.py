from pyramid.config import Configurator
from pyramid.exceptions import URLDecodeError
from pyramid.httpexceptions import HTTPNotFound
from pyramid.request import Request
from pyramid.response import Response
from pyramid.view import exception_view_config, view_config


@view_config(route_name="hello_world", request_method="GET")
def hello_world(request: Request) -> Response:
    return Response("Hello World", content_type="text/plain", charset="utf-8")


def read_part(request: Request) -> dict[str, int]:
    return {"part": int(request.matchdict["part"])}


@exception_view_config(URLDecodeError)
def undecodable_path(request: Request) -> Response:
    """Left alone, a path that is not UTF-8 would be an error of the server."""
    return HTTPNotFound()


with Configurator() as config:
    config.add_route("hello_world", "/hello_world")
    for method in ("GET", "POST", "PUT"):
        for number in range(10):
            name = f"route-{method.lower()}-{number}"
            config.add_route(name, rf"/{name}/{{part:\d+}}")
            config.add_view(read_part, route_name=name, request_method=method, renderer="json")
    config.include("issue_tracker", route_prefix="/api/v1")
    config.include("workload", route_prefix="/test")
    config.scan(__name__)
    app = config.make_wsgi_app()
