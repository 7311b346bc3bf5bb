"""What scripts/wrk/reading.lua gets, and what it writes: every answer to a load is read."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from restbench.errors import ToolError
from restbench.loadgen.interface import LoadResult

MOST_BYTES = 256 * 2**20
"""How many bytes of answers that have to be parsed are written at most. With more, the load ends."""


@dataclass(frozen=True)
class AnswerForm:
    """What the right answers of an app look like: the bytes of one, and where others differ from it.

    `ids`: the offsets in the body at which the id of the request stands. `places`: the offsets at which the number of
    the fetch may stand; it stands at the place that is its remainder when divided by their number. At all other places,
    `body` has letters.
    """

    status: int
    content_type: str
    body: bytes
    ids: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    def of(self, identity: int, number: int | None) -> bytes:
        """Returns the body of the right answer to an id, with that number of the fetch."""
        body = bytearray(self.body)
        for offset in self.ids:
            body[offset : offset + len(str(identity))] = str(identity).encode()
        if number is not None:
            place = self.places[number % len(self.places)]
            body[place : place + len(str(number))] = str(number).encode()
        return bytes(body)


@dataclass(frozen=True)
class OddAnswer:
    """An answer that does not have the form of right ones, or that answers a probe.

    `id`: of its request, where that has one. `count`: how many requests of the load its connection had sent.
    """

    connection: int
    count: int
    is_probe: bool
    id: int | None
    status: int
    content_type: str
    encoding: str
    body: bytes


@dataclass(frozen=True)
class Closed:
    """A connection that the app closed after so many answers. `announced`: whether the last of them said so."""

    answers: int
    announced: bool


@dataclass(frozen=True)
class Read:
    """What the load brought, the numbers of the fetches in answers of the right form, and all other answers.

    `closed`: the connections that the app closed, unless the last answer was an error that said so.
    """

    load: LoadResult
    numbers: list[int]
    odd: list[OddAnswer]
    closed: list[Closed]


@dataclass(frozen=True)
class Reading:
    """How answers are read. `requests`: how many each connection sends at most.

    `form`: None for an app whose right answers have no form, so that each is parsed. `probe`: the bytes of a request
    that each connection sends first and last.
    """

    requests: int
    form: AnswerForm | None = None
    probe: bytes | None = None

    @contextmanager
    def files(self, connections: int) -> Iterator["ReadingFiles"]:
        """Writes the arguments for that many connections. The files are gone when the context is left."""
        with tempfile.TemporaryDirectory(prefix="restbench-reading-") as folder:
            files = ReadingFiles(Path(folder) / "arguments", Path(folder) / "answers")
            files.answers.touch()
            files.arguments.write_bytes(self._arguments(files.answers, connections))
            yield files

    def _arguments(self, answers: Path, connections: int) -> bytes:
        lines = [f"answers {answers}", f"requests {self.requests}", f"most_bytes {MOST_BYTES // connections}"]
        text = "".join(f"{line}\n" for line in lines).encode()
        if self.probe:
            text += b"probe %d\n%s\n" % (len(self.probe), self.probe)
        if form := self.form:
            lines = [f"status {form.status}", f"type {form.content_type}"]
            lines += [f"ids {' '.join(map(str, form.ids))}", f"places {' '.join(map(str, form.places))}"]
            text += "".join(f"{line}\n" for line in lines).encode()
            text += b"body %d\n%s\n" % (len(form.body), form.body)
        return text


@dataclass(frozen=True)
class ReadingFiles:
    """The files of one load."""

    arguments: Path
    answers: Path

    def read(self, load: LoadResult) -> Read:
        """Returns what was written. Raises ToolError when it is not as reading.lua writes it."""
        numbers: list[int] = []
        odd: list[OddAnswer] = []
        closed: list[Closed] = []
        with self.answers.open("rb") as file:
            while line := file.readline():
                match line.decode(errors="replace").split():
                    case ["number", number]:
                        numbers.append(int(number))
                    case ["closed" | "closes" as how, _, answers]:
                        closed.append(Closed(int(answers), how == "closes"))
                    case ["answer", connection, count, kind, identity, status, of_type, of_encoding, of_body]:
                        content_type = file.read(int(of_type)).decode(errors="replace")
                        encoding = file.read(int(of_encoding)).decode(errors="replace")
                        id_ = None if identity == "-" else int(identity)
                        body = file.read(int(of_body))
                        answer = OddAnswer(
                            int(connection), int(count), kind == "probe", id_, int(status), content_type, encoding, body
                        )
                        odd.append(answer)
                    case _:
                        raise ToolError("what wrk read is not as reading.lua writes it", repr(line[:200]))
        return Read(load, numbers, odd, closed)
