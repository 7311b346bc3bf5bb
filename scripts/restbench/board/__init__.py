"""What is shown. Every renderer lays this out and nothing else."""

from restbench.board.build import build_board
from restbench.board.models import Board, FactsRow, Line, Matrix, Row, Section, Setting, SuiteTables, Table, Total

__all__ = [
    "Board",
    "FactsRow",
    "Line",
    "Matrix",
    "Row",
    "Section",
    "Setting",
    "SuiteTables",
    "Table",
    "Total",
    "build_board",
]
