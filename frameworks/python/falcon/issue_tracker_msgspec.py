import falcon
import msgspec
from falcon.asgi import Request, Response
from msgspec import structs

from json_library import JSONLibrary
from shared.msgspec_models import Board, Task, TaskIn, User
from shared.source import typed_source

# The decoder makes a task of a body in one step, without a dict in between.
use_msgspec = JSONLibrary(msgspec.json.Encoder().encode, msgspec.json.Decoder(TaskIn).decode)


@falcon.before(use_msgspec)
class UserInfo:
    async def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = await typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        resp.media = msgspec.convert(user, User, from_attributes=True)


@falcon.before(use_msgspec)
class Sprint:
    async def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = await typed_source.sprint()
        board.sprint.id = sprint_id
        resp.media = msgspec.convert(board, Board, from_attributes=True)


@falcon.before(use_msgspec)
class Tasks:
    async def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task: TaskIn = await req.get_media()
        row = await typed_source.task()
        answer = {**vars(row), **structs.asdict(task), "board": board_id}
        resp.status = falcon.HTTP_CREATED
        resp.media = msgspec.convert(answer, Task, from_attributes=True)

    async def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        await typed_source.save_task(await req.get_media())
        resp.status = falcon.HTTP_NO_CONTENT
