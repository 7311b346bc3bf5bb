"""Docker: the engine's command line, and what containers used."""
