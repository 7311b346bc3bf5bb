from flask import Flask, Response
from flask.views import MethodView
from flask_smorest import Api, Blueprint

import issue_tracker_marshmallow
import issue_tracker_raw
import registry
import workload
import workload_marshmallow


class Config:
    API_TITLE = "restbench"
    API_VERSION = "1"
    OPENAPI_VERSION = "3.1.0"
    OPENAPI_URL_PREFIX = "/"  # the document is at /openapi.json


app = Flask(__name__)
app.config.from_object(Config)
api = Api(app)
blp = Blueprint("restbench", __name__)


@blp.route("/hello_world")
class HelloWorld(MethodView):
    @blp.response(200, {"type": "string"}, content_type="text/plain")
    def get(self) -> Response:
        """Greet the world"""
        return Response("Hello World", mimetype="text/plain")


@blp.response(200)
def read_part(part: int) -> dict[str, int]:
    """A part of a route"""
    return {"part": part}


for method in ("GET", "POST", "PUT"):
    for number in range(10):
        blp.route(f"/route-{method.lower()}-{number}/<int:part>", methods=[method])(read_part)

api.register_blueprint(blp)
api.register_blueprint(issue_tracker_raw.blp)
api.register_blueprint(issue_tracker_marshmallow.blp)
api.register_blueprint(workload.blp)
api.register_blueprint(workload_marshmallow.blp)
api.register_blueprint(registry.blp)
