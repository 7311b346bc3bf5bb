"""Lints one entry by the rules for pull requests.

Below frameworks/ only Python files are linted, so the rules are those of ruff.
"""

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
    """Returns whether the rules apply to a file of the entry."""
    return any(entry.folder.rglob("*.py"))


def can_lint() -> bool:
    """Returns whether ruff is next to this Python, where `make lint` installs it."""
    return RUFF.is_file()


def lint_findings(entry: Entry, repository: Repository) -> list[str]:
    """Returns one line for each broken rule, with file and position, and one for each file that is not formatted."""
    folder = repository.relative(entry.folder)
    return [line for arguments in _COMMANDS for line in _ruff_lines(repository, *arguments, folder)]


def first_lint_findings(entry: Entry, repository: Repository) -> str:
    """Returns the first findings with the remedy, or an empty text if no rule is broken."""
    findings = lint_findings(entry, repository)
    if not findings:
        return ""
    more = f"; {len(findings) - _SHOWN} more" if len(findings) > _SHOWN else ""
    return f"{'; '.join(findings[:_SHOWN])}{more}; fix what can be fixed automatically with: make format"


def _ruff_lines(repository: Repository, *arguments: str) -> list[str]:
    ran = subprocess.run([RUFF, *arguments], cwd=repository.root, capture_output=True, text=True, check=False)
    said = ran.stdout if ran.returncode in (0, 1) else ran.stderr  # 2: ruff itself failed
    return [line.strip() for line in said.splitlines() if line.strip()]
