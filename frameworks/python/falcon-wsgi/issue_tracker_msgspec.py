"""msgspec decodes a body straight into its type and encodes the answer; Falcon's own JSON handler stays with `raw`."""

import falcon
import msgspec
from falcon import Request, Response

from shared.blocking_source import source
from shared.msgspec_models import Board, Task, TaskIn, User

encoder = msgspec.json.Encoder()
task_decoder = msgspec.json.Decoder(TaskIn)


class UserInfo:
    def on_get(self, req: Request, resp: Response, user_id: int) -> None:
        resp.data = encoder.encode(User.from_row(source.user(), user_id))


class Sprint:
    def on_get(self, req: Request, resp: Response, sprint_id: int) -> None:
        resp.data = encoder.encode(Board.from_row(source.sprint(), sprint_id))


class Tasks:
    def on_post(self, req: Request, resp: Response, board_id: int) -> None:
        task = read_task(req)
        row = source.task()
        resp.status = falcon.HTTP_CREATED
        resp.data = encoder.encode(Task.from_row(row, board_id, task))

    def on_put(self, req: Request, resp: Response, board_id: int) -> None:
        source.save_task(read_task(req))
        resp.status = falcon.HTTP_NO_CONTENT


def read_task(req: Request) -> TaskIn:
    try:
        return task_decoder.decode(req.bounded_stream.read())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise falcon.HTTPUnprocessableEntity(title="The body is not a task.", description=str(error)) from error
