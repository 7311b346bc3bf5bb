"""Shell scripts that stand for programs."""

from pathlib import Path


def a_program(path: Path, body: str) -> Path:
    """Writes a program that runs the body, in a folder that is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path
