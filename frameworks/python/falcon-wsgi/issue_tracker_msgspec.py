import falcon
import msgspec
from falcon import Request, Response
from msgspec import structs

from json_library import JSONLibrary
from shared.blocking_source import typed_source
from shared.msgspec_models import Board, Task, TaskIn, User

# The decoder makes a task of a body in one step, without a dict in between.
use_msgspec = JSONLibrary(msgspec.json.Encoder().encode, msgspec.json.Decoder(TaskIn).decode)


@falcon.before(use_msgspec)
class UserInfo:
    def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        user = typed_source.user()
        user.sub = f"{user.sub}-{user_id}"
        resp.media = msgspec.convert(user, User, from_attributes=True)


@falcon.before(use_msgspec)
class Sprint:
    def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        board = typed_source.sprint()
        board.sprint.id = sprint_id
        resp.media = msgspec.convert(board, Board, from_attributes=True)


@falcon.before(use_msgspec)
class Tasks:
    def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task: TaskIn = req.get_media()
        row = typed_source.task()
        answer = {**vars(row), **structs.asdict(task), "board": board_id}
        resp.status = falcon.HTTP_CREATED
        resp.media = msgspec.convert(answer, Task, from_attributes=True)

    def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        typed_source.save_task(req.get_media())
        resp.status = falcon.HTTP_NO_CONTENT
