import time

from bottle import Bottle, abort, request, response

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

app = Bottle()


@app.post("/test/simple/raw")
def simple() -> dict[str, str]:
    return {"payload": greeting(read_text("payload"))}


@app.post("/test/timed/raw")
def timed() -> dict[str, str]:
    payload = read_text("payload")
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@app.post("/test/bcrypt")
def bcrypt() -> dict[str, str]:
    return {"payload": hash_password(read_text("payload"))}


@app.get("/test/status")
def status() -> str:
    response.content_type = "text/plain; charset=utf-8"
    return "OK"


@app.get("/test/labels/<label>")
def get_label(label: str) -> str:
    response.content_type = "text/plain; charset=utf-8"
    return label


@app.post("/test")
def queue() -> dict[str, str]:
    message = read_text("message")
    time.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


def read_text(key: str) -> str:
    """The text under that key of the body."""
    body = request.json
    text = body.get(key) if isinstance(body, dict) else None
    if not isinstance(text, str):
        abort(400, f"The body has no {key}.")
    return text
