"""The commands: a module each, with its options and what it does. `cli` lists them."""
