import time

from flask_restx import Namespace, Resource, fields

from shared.work import TIMED_SECONDS, greeting

ns = Namespace("workload_marshal", path="/test")

payload = ns.model("Payload", {"payload": fields.String(required=True)})


@ns.route("/simple/marshal")
class Simple(Resource):
    @ns.expect(payload, validate=True)
    @ns.marshal_with(payload)
    def post(self) -> dict[str, str]:
        return {"payload": greeting(ns.payload["payload"])}


@ns.route("/timed/marshal")
class Timed(Resource):
    @ns.expect(payload, validate=True)
    @ns.marshal_with(payload)
    def post(self) -> dict[str, str]:
        time.sleep(TIMED_SECONDS)
        return {"payload": greeting(ns.payload["payload"])}
