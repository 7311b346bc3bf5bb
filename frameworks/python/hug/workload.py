import time
from typing import Any

import hug

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password


class JSONText(hug.types.Text):
    """A text, where hug.types.text would make one of numbers and objects."""

    def __call__(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("Not a text.")
        return value


json_text = JSONText()


@hug.post("/simple/raw")
def simple(payload: json_text) -> dict:
    return {"payload": greeting(payload)}


@hug.post("/timed/raw")
def timed(payload: json_text) -> dict:
    time.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@hug.post("/bcrypt")
def bcrypt(payload: json_text) -> dict:
    return {"payload": hash_password(payload)}


@hug.get("/status", output=hug.output_format.text)
def status() -> str:
    return "OK"


@hug.get("/labels/{label}", output=hug.output_format.text)
def get_label(label: hug.types.text) -> str:
    return label


@hug.post("")
def queue(message: json_text) -> dict:
    time.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}
