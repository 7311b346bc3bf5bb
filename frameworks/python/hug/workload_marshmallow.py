import time

import hug
from marshmallow import EXCLUDE, Schema, fields

from shared.work import TIMED_SECONDS, greeting

# As in issue_tracker_marshmallow.py, on_invalid=False keeps hug from transforming the errors of an invalid request.


class PayloadSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    payload = fields.String(required=True)


@hug.post("/simple/marshmallow", transform=PayloadSchema(), on_invalid=False)
def simple(body: PayloadSchema()) -> dict:
    return {"payload": greeting(body["payload"])}


@hug.post("/timed/marshmallow", transform=PayloadSchema(), on_invalid=False)
def timed(body: PayloadSchema()) -> dict:
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(body["payload"])}
