from dataclasses import asdict, fields
from typing import Any

from blacksheep import FromJSON, Response, created, json, no_content
from blacksheep.exceptions import BadRequest
from blacksheep.server.bindings.converters import TypeConverter, class_converters

from shared.dataclasses_models import Board, Task, TaskIn, User
from shared.source import source


async def userinfo(user_id: int) -> Response:
    return json(User.from_row(await source.user(), user_id))


async def sprint(sprint_id: int) -> Response:
    board = Board.from_row(await source.sprint(), sprint_id)
    return json(asdict(board, dict_factory=without_none))  # `json` itself calls asdict, and writes None as null


async def create_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    return created(Task.from_row(await source.task(), board_id, data.value))


async def update_task(board_id: int, data: FromJSON[TaskIn]) -> Response:
    await source.save_task(data.value)
    return no_content()


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


class TaskConverter(TypeConverter):
    """BlackSheep's own converter of dataclasses lets wrong types pass and percent-decodes text. Where that matters, it
    points to Pydantic or to a converter such as this one."""

    def __init__(self) -> None:
        checks = {str: is_text, list[str]: is_list_of_text}
        self._checks = {field.name: checks[field.type] for field in fields(TaskIn)}

    def can_convert(self, expected_type: Any) -> bool:
        return expected_type is TaskIn

    def convert(self, value: Any, expected_type: Any) -> TaskIn:
        if not isinstance(value, dict):
            raise BadRequest("The body is not an object.")
        for name, fits in self._checks.items():
            if not fits(value.get(name)):
                raise BadRequest(f"{name} is missing or of another type.")
        return TaskIn(**{name: value[name] for name in self._checks})


class_converters.insert(0, TaskConverter())


def without_none(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if value is not None}
