from flask import Flask, Response
from flask_restx import Api, Resource

import issue_tracker_marshal
import issue_tracker_raw
import registry
import workload
import workload_marshal

app = Flask(__name__)
app.config["RESTX_MASK_SWAGGER"] = False  # a masked answer may lack what its model requires
api = Api(app, title="restbench", doc="/doc")  # at its default, /, the page would be an answer to an unknown path


@api.route("/hello_world")
class HelloWorld(Resource):
    def get(self) -> Response:
        return Response("Hello World", mimetype="text/plain")


PART = {"description": "One of ten routes"}  # a route with a description of its own gets an operation id of its own


@api.route(*[f"/route-get-{number}/<int:part>" for number in range(10)], doc=PART)
class ReadPart(Resource):
    def get(self, part: int) -> dict[str, int]:
        return {"part": part}


@api.route(*[f"/route-post-{number}/<int:part>" for number in range(10)], doc=PART)
class CreatePart(Resource):
    def post(self, part: int) -> dict[str, int]:
        return {"part": part}


@api.route(*[f"/route-put-{number}/<int:part>" for number in range(10)], doc=PART)
class ReplacePart(Resource):
    def put(self, part: int) -> dict[str, int]:
        return {"part": part}


api.add_namespace(issue_tracker_raw.ns)
api.add_namespace(issue_tracker_marshal.ns)
api.add_namespace(workload.ns)
api.add_namespace(workload_marshal.ns)
api.add_namespace(registry.ns)
