from tornado.escape import json_decode
from tornado.web import HTTPError, RequestHandler


class JSONHandler(RequestHandler):
    """Reads a body that is JSON, which Tornado leaves to the app."""

    def prepare(self) -> None:
        self.json_args = None
        if self.request.headers.get("Content-Type", "").startswith("application/json"):
            try:
                self.json_args = json_decode(self.request.body)
            except ValueError as error:
                raise HTTPError(400) from error
