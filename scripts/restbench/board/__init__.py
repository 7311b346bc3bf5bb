"""The board as data: everything that renderers show of the results."""

from restbench.board.build import build_board
from restbench.board.models import (
    Agreement,
    Board,
    FactsRow,
    Line,
    Matrix,
    Reference,
    Section,
    Setting,
    SuiteTables,
    Total,
)
from restbench.board.rows import Row, Table

__all__ = [
    "Agreement",
    "Board",
    "FactsRow",
    "Line",
    "Matrix",
    "Reference",
    "Row",
    "Section",
    "Setting",
    "SuiteTables",
    "Table",
    "Total",
    "build_board",
]
