"""A scenario as a concrete request, which the load generators and the verifier both send."""

from dataclasses import dataclass, field

from restbench.catalog import Cell, Scenario, Suite

ID_LIMIT = 2**31
"""Ids are non-negative 32-bit integers (docs/CONTRACT.md)."""

LOADED_IDS = range(1_000_000_000, 1_000_000_000 + 2**27)
"""The ids that load generators send. All have the same number of digits.

The random ids of checks are of the same range, so that no app can tell a check from load.
"""


_ID = "{id}"


@dataclass(frozen=True)
class RequestShape:
    """A request without its id: `path` and `body` hold {id} in its place, or have no id."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None

    def path_for(self, identity: int | str) -> str:
        return self.path.replace(_ID, str(identity))

    def body_for(self, identity: int) -> bytes | None:
        return None if self.body is None else self.body.replace(_ID.encode(), str(identity).encode())

    @property
    def has_id(self) -> bool:
        """Whether the path has an id."""
        return _ID in self.path

    @property
    def body_has_id(self) -> bool:
        return self.body is not None and _ID.encode() in self.body


def request_shape(suite: Suite, scenario: Scenario, cell: Cell) -> RequestShape:
    """Returns the request of a cell, with the body that is sent under load."""
    body = suite.body(scenario)
    headers = {} if body is None else {"content-type": "application/json"}
    return RequestShape(scenario.method, scenario.path.replace("{variant}", cell.variant or ""), headers, body)
