"""The implementation of each command. `cli` parses the arguments and calls this package."""
