"""What people look at: README, report, terminal, charts, and the words and formats that they share."""
