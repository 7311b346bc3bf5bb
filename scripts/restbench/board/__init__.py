"""The board as data: everything that renderers show of the results."""

from restbench.board.build import build_board
from restbench.board.models import Board, Matrix, Section, Setting, SuiteTables
from restbench.board.rows import Row, Table

__all__ = ["Board", "Matrix", "Row", "Section", "Setting", "SuiteTables", "Table", "build_board"]
