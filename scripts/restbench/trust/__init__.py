"""Can the figures be trusted: measurements whose right answer is known, made by the same code as any other."""
