import asyncio

from muffin import Application, Request, Response, ResponseError, ResponseText

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

app = Application()


@app.route("/simple/raw", methods=["POST"])
async def simple(request: Request) -> dict[str, str]:
    return {"payload": greeting(await read_text(request, "payload"))}


@app.route("/timed/raw", methods=["POST"])
async def timed(request: Request) -> dict[str, str]:
    payload = await read_text(request, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@app.route("/bcrypt", methods=["POST"])
async def bcrypt(request: Request) -> dict[str, str]:
    payload = await read_text(request, "payload")
    return {"payload": await asyncio.to_thread(hash_password, payload)}


@app.route("/status", methods=["GET"])
async def status(request: Request) -> Response:
    return ResponseText("OK")


@app.route("/labels/{label}", methods=["GET"])
async def get_label(request: Request) -> Response:
    return ResponseText(request.path_params["label"])


@app.route("/", methods=["POST"])  # at /test, because Muffin trims a slash at the end (TRIM_LAST_SLASH)
async def queue(request: Request) -> dict[str, str]:
    message = await read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


async def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.json())[key]
    except (ValueError, TypeError, KeyError) as error:
        raise ResponseError.BAD_REQUEST(f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise ResponseError.BAD_REQUEST(f"{key} is not a text.")
    return text
