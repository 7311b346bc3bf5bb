"""Made data: a board with a history of years, to look at and to test what has no history yet. Nothing was measured."""
