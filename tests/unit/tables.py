"""The tables of small made boards."""

from restbench.board import Row, Table
from restbench.results.models import CellResult
from tests.unit.small import small_board


def table(**cells: CellResult) -> Table:
    """The table of Hello World."""
    return small_board(**cells).sections[0].suites[0].tables[0]


def hello(**cells: CellResult) -> dict[str, Row]:
    """The rows of Hello World by title."""
    return {row.title: row for row in table(**cells).rows}
