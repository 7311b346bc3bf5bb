from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI

import issue_tracker_pydantic
import issue_tracker_raw
import registry
import workload
import workload_pydantic
from shared.solr import SolrUnavailable

api = NinjaAPI(title="restbench")


@api.exception_handler(SolrUnavailable)
def solr_is_unavailable(request: HttpRequest, error: SolrUnavailable) -> HttpResponse:
    return api.create_response(request, {"detail": "Solr does not answer"}, status=503)


@api.get("/hello_world")
async def hello_world(request: HttpRequest) -> HttpResponse:
    return HttpResponse("Hello World", content_type="text/plain; charset=utf-8")


async def read_part(request: HttpRequest, part: int) -> dict[str, int]:
    return {"part": part}


for method in ("get", "post", "put"):
    for number in range(10):
        name = f"route-{method}-{number}"
        # Ninja names an operation after its function, and all of these have the same one.
        api.api_operation([method.upper()], f"/{name}/{{part}}", operation_id=name)(read_part)

api.add_router("/api/v1", issue_tracker_raw.router)
api.add_router("/api/v1", issue_tracker_pydantic.router)
api.add_router("/test", workload.router)
api.add_router("/test", workload_pydantic.router)
api.add_router("", registry.router)
