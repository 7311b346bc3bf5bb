"""What each command does. `cli` parses and calls these; these call the rest."""
