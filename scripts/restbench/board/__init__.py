"""What is shown. Every renderer lays this out and nothing else."""

from restbench.board.build import build_board
from restbench.board.models import Board, FactsRow, Row, Section, Setting, SuiteTables, Table

__all__ = ["Board", "FactsRow", "Row", "Section", "Setting", "SuiteTables", "Table", "build_board"]
