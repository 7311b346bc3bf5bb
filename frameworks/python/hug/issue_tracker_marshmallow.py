import falcon
import hug

from shared.blocking_source import typed_source
from shared.dataclasses_models import Board, Task, User
from shared.marshmallow_schemas import BoardSchema, TaskInSchema, TaskSchema, UserSchema

# hug would transform the errors of an invalid request as it does answers, were it not for on_invalid=False. hug's page
# names None for that, but its code takes None for unset.


@hug.get("/userinfo/marshmallow/{user_id}", transform=UserSchema(), on_invalid=False)
def userinfo(user_id: hug.types.number) -> User:
    user = typed_source.user()
    user.sub = f"{user.sub}-{user_id}"
    return user


@hug.get("/sprint/marshmallow/{sprint_id}", transform=BoardSchema(), on_invalid=False)
def sprint(sprint_id: hug.types.number) -> Board:
    board = typed_source.sprint()
    board.sprint.id = sprint_id
    return board


@hug.post("/board/marshmallow/{board_id}/task", status=falcon.HTTP_CREATED, transform=TaskSchema(), on_invalid=False)
def create_task(board_id: hug.types.number, body: TaskInSchema()) -> Task:
    return Task(board=board_id, **vars(typed_source.task()), **body)


@hug.put("/board/marshmallow/{board_id}/task", status=falcon.HTTP_NO_CONTENT)
def update_task(board_id: hug.types.number, body: TaskInSchema()) -> None:
    typed_source.save_task(body)
