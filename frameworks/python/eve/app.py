from eve import Eve
from flask import Response

# Without a resource Eve needs no MongoDB. The list of its resources is at /api, and would be at / by default.
app = Eve(settings={"DOMAIN": {}, "URL_PREFIX": "api"})


@app.get("/hello_world")
def hello_world() -> Response:
    return Response("Hello World", mimetype="text/plain")
