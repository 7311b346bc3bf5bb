"""Renders the board for people: README, report, terminal and charts, with shared sentences and number formats."""
