from eve import Eve
from eve.render import send_response
from flask import Response

import issue_tracker_cerberus
import issue_tracker_raw
import workload
import workload_cerberus

SETTINGS = {
    "DOMAIN": {},  # resources are registered below, after the other routes
    "URL_PREFIX": "api",
    "API_VERSION": "v1",
    "DATE_FORMAT": "%Y-%m-%dT%H:%M:%SZ",
    "ID_FIELD": "id",
    "ITEM_LOOKUP_FIELD": "id",
    "ITEM_URL": "int",
    "HATEOAS": False,
    "IF_MATCH": False,
    "BANDWIDTH_SAVER": False,  # the answer to a POST is the whole document
    "BULK_ENABLED": False,
}

app = Eve(settings=SETTINGS, data=issue_tracker_cerberus.Tracker, validator=issue_tracker_cerberus.Validator)


@app.get("/hello_world")
def hello_world() -> Response:
    return Response("Hello World", mimetype="text/plain")


def read_part(part: int) -> Response:
    return send_response(None, ({"part": part},))


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        app.add_url_rule(f"/route-{method.lower()}-{number}/<int:part>", view_func=read_part, methods=[method])

app.register_blueprint(issue_tracker_raw.blueprint)
issue_tracker_cerberus.register(app)
app.register_blueprint(workload.blueprint)
app.register_blueprint(workload_cerberus.blueprint)
