"""Made data: repositories, results, and a board with a history of years. Nothing of it was measured."""
