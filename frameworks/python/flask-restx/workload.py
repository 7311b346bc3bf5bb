import time

from flask import Response
from flask_restx import Namespace, Resource, fields

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

ns = Namespace("workload", path="/test")

payload = ns.model("Payload", {"payload": fields.String(required=True)})
message = ns.model("Message", {"message": fields.String(required=True)})
handled = ns.model("Handled", {"message": fields.String, "note": fields.String})


@ns.route("/simple")
class Simple(Resource):
    @ns.expect(payload, validate=True)
    @ns.marshal_with(payload)
    def post(self) -> dict[str, str]:
        return {"payload": greeting(ns.payload["payload"])}


@ns.route("/timed")
class Timed(Resource):
    @ns.expect(payload, validate=True)
    @ns.marshal_with(payload)
    def post(self) -> dict[str, str]:
        time.sleep(TIMED_SECONDS)
        return {"payload": greeting(ns.payload["payload"])}


@ns.route("/bcrypt")
class Bcrypt(Resource):
    @ns.expect(payload, validate=True)
    @ns.marshal_with(payload)
    def post(self) -> dict[str, str]:
        return {"payload": hash_password(ns.payload["payload"])}


@ns.route("/status")
class Status(Resource):
    def get(self) -> Response:
        return Response("OK", mimetype="text/plain")


@ns.route("/labels/<label>")
class Label(Resource):
    def get(self, label: str) -> Response:
        return Response(label, mimetype="text/plain")


@ns.route("")
class Queue(Resource):
    @ns.expect(message, validate=True)
    @ns.marshal_with(handled)
    def post(self) -> dict[str, str]:
        time.sleep(PROCESSING_SECONDS)
        return {"message": ns.payload["message"], "note": PROCESSING_NOTE}
