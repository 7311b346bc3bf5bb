"""Docker: the engine's command line, and the CPU time and memory that containers used."""
