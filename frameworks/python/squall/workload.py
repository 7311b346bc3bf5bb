import asyncio

from squall import HTTPException, Request, Router
from squall.concurrency import run_in_threadpool
from squall.responses import PlainTextResponse

from shared.work import PROCESSING_NOTE, PROCESSING_SECONDS, TIMED_SECONDS, greeting, hash_password

router = Router(prefix="/test")


@router.post("/simple/raw")
async def simple(request: Request) -> dict[str, str]:
    return {"payload": greeting(await read_text(request, "payload"))}


@router.post("/timed/raw")
async def timed(request: Request) -> dict[str, str]:
    payload = await read_text(request, "payload")
    await asyncio.sleep(TIMED_SECONDS)
    return {"payload": greeting(payload)}


@router.post("/bcrypt")
async def bcrypt(request: Request) -> dict[str, str]:
    payload = await read_text(request, "payload")
    return {"payload": await run_in_threadpool(hash_password, payload)}


@router.get("/status", response_class=PlainTextResponse)
async def status() -> str:
    return "OK"


@router.get("/labels/{label}", response_class=PlainTextResponse)
async def get_label(label: str) -> str:
    return label


@router.post("")
async def queue(request: Request) -> dict[str, str]:
    message = await read_text(request, "message")
    await asyncio.sleep(PROCESSING_SECONDS)
    return {"message": message, "note": PROCESSING_NOTE}


async def read_text(request: Request, key: str) -> str:
    """The text under that key of the body."""
    try:
        text = (await request.json())[key]
    except (ValueError, TypeError, KeyError) as error:
        raise HTTPException(400, detail=f"The body has no {key}.") from error
    if not isinstance(text, str):
        raise HTTPException(400, detail=f"{key} is not a text.")
    return text
