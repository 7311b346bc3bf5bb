"""msgspec decodes a body straight into its type and encodes the answer; Falcon's own JSON handler stays with `raw`."""

import falcon
import msgspec
from falcon.asgi import Request, Response

from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import source

encoder = msgspec.json.Encoder()
task_decoder = msgspec.json.Decoder(TaskIn)


class UserInfo:
    async def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        resp.data = encoder.encode(User.from_row(await source.user(), user_id))


class Sprint:
    async def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        resp.data = encoder.encode(Board.from_row(await source.sprint(), sprint_id))


class Tasks:
    async def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = await read_task(req)
        row = await source.task()
        resp.status = falcon.HTTP_CREATED
        resp.data = encoder.encode(Task.from_row(row, board_id, task))

    async def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        await source.save_task(await read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


async def read_task(req: Request) -> TaskIn:
    try:
        return task_decoder.decode(await req.stream.read())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise falcon.HTTPUnprocessableEntity(title="The body is not a task.", description=str(error)) from error
