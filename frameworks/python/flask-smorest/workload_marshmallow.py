import time

from flask.views import MethodView
from flask_smorest import Blueprint
from marshmallow import EXCLUDE, Schema, fields

from shared.work import TIMED_SECONDS, greeting

blp = Blueprint("workload_marshmallow", __name__, url_prefix="/test", description="Business logic with schemas")


class PayloadSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    payload = fields.String(required=True)


@blp.route("/simple/marshmallow")
class Simple(MethodView):
    @blp.arguments(PayloadSchema)
    @blp.response(200, PayloadSchema)
    def post(self, body: dict[str, str]) -> dict[str, str]:
        """Greet"""
        return {"payload": greeting(body["payload"])}


@blp.route("/timed/marshmallow")
class Timed(MethodView):
    @blp.arguments(PayloadSchema)
    @blp.response(200, PayloadSchema)
    def post(self, body: dict[str, str]) -> dict[str, str]:
        """Greet after some waiting"""
        time.sleep(TIMED_SECONDS)
        return {"payload": greeting(body["payload"])}
