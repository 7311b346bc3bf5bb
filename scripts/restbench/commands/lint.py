"""The lint rules of pull requests, for one entry: ruff's, as Python is all that they look at below frameworks/."""

import subprocess
import sys
from pathlib import Path

from restbench.catalog import Entry
from restbench.system.repository import Repository

RUFF = Path(sys.executable).with_name("ruff")
_SHOWN = 3
_COMMANDS = (
    ("check", "--quiet", "--output-format=concise"),
    ("format", "--check", "--quiet", "--output-format=concise"),
)


def is_linted(entry: Entry) -> bool:
    """Whether the rules look at any file of the entry."""
    return any(entry.folder.rglob("*.py"))


def can_lint() -> bool:
    """Whether ruff is beside this Python, where `make lint` puts it."""
    return RUFF.is_file()


def lint_findings(entry: Entry, repository: Repository) -> list[str]:
    """One line for each broken rule, with file and place, and for each file that is not formatted."""
    folder = repository.relative(entry.folder)
    return [line for words in _COMMANDS for line in _ruff_lines(repository, *words, folder)]


def lint_trouble(entry: Entry, repository: Repository) -> str:
    """The first findings with the remedy; empty where no rule is broken."""
    findings = lint_findings(entry, repository)
    if not findings:
        return ""
    more = f"; {len(findings) - _SHOWN} more" if len(findings) > _SHOWN else ""
    return f"{'; '.join(findings[:_SHOWN])}{more}; make format mends what can be mended by itself"


def _ruff_lines(repository: Repository, *words: str) -> list[str]:
    ran = subprocess.run([RUFF, *words], cwd=repository.root, capture_output=True, text=True, check=False)
    said = ran.stdout if ran.returncode in (0, 1) else ran.stderr  # 2: ruff itself failed
    return [line.strip() for line in said.splitlines() if line.strip()]
