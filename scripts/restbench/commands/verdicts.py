"""Reports the checks of an entry, as lines and as a JSON document."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape

from restbench.catalog import Entry
from restbench.conformance import CheckResult
from restbench.errors import EntryError, MachineError
from restbench.system.text import harmless


class Checked(BaseModel):
    """A check. `reason`: why it was not run. `found`: what a kept check found.

    A broken check has the request, and the expected and received answers.
    """

    check: str
    suite: str | None = None
    scenario: str | None = None
    variant: str | None = None
    outcome: Literal["kept", "broken", "not run"]
    reason: str | None = None
    found: str | None = None
    request: str | None = None
    expected: str | None = None
    got: str | None = None


class Verified(BaseModel):
    """All checks of an entry.

    `error`: why the app could not be built, started or checked to the end. `missed`: why this machine or a server kept
    it from being checked, or checked to the end.
    """

    entry: str
    version: str | None
    checks: list[Checked] = []
    error: str | None = None
    detail: str = ""
    missed: str | None = None

    def count(self, outcome: str) -> int:
        return sum(check.outcome == outcome for check in self.checks)

    @property
    def broken(self) -> bool:
        return self.error is not None or self.count("broken") > 0


class Verification(BaseModel):
    """The document of `verify --json`. The same `seed` gives the same random values again."""

    target: str
    seed: int
    entries: list[Verified]
    mistakes: list[str]


@dataclass(frozen=True)
class Report:
    """Collects the checks of an entry, and prints each check when it is done."""

    entry: Entry
    target: str
    console: Console
    quiet: bool
    verified: Verified = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verified", Verified(entry=self.entry.id, version=self.entry.version(self.target)))

    def begin(self) -> None:
        if not self.quiet:
            self._say(f"[bold]{self.entry.id}[/] {self.verified.version or ''} ({self.target})")

    def add(self, verdict: CheckResult) -> None:
        """Adds a check and prints it. With --quiet, prints only broken checks, with the entry's name in front."""
        cell, broken = verdict.cell, verdict.broken
        self.verified.checks.append(
            Checked(
                check=verdict.check,
                **(cell.key._asdict() if cell else {}),
                outcome="broken" if broken else "not run" if verdict.not_run else "kept",
                reason=verdict.not_run,
                found=verdict.found or None,
                request=broken.request if broken else None,
                expected=broken.expected if broken else None,
                got=broken.got if broken else None,
            )
        )
        if self.quiet and broken is None:
            return
        where = "/".join(part for part in (cell.scenario, cell.variant) if part) + " " if cell else ""
        if self.quiet:
            where = f"{self.entry.id} {where}"
        if verdict.not_run:
            self._say(f"  [yellow]-[/] {where}{verdict.check}: not run: {escape(verdict.not_run)}")
        elif broken is None:
            found = f": {escape(harmless(verdict.found))}" if verdict.found else ""
            self._say(f"  [green]✓[/] {where}{verdict.check}{found}")
        else:
            self._say(f"  [red]✗[/] {where}{verdict.check}")
            for label, text in (("request", broken.request), ("expected", broken.expected), ("got", broken.got)):
                self.console.print(f"      {label:9}{escape(harmless(text))}", highlight=False, soft_wrap=True)

    def fail(self, error: EntryError) -> None:
        """Adds and prints the error that keeps the entry from being checked."""
        if isinstance(error, MachineError):
            self.verified.missed = error.message
            self._say(f"  [yellow]-[/] {escape(harmless(error.message))}\n")
            return
        self.verified.error, self.verified.detail = error.message, error.detail
        self._say(f"  [red]✗[/] {escape(harmless(error.message))}\n{escape(harmless(error.detail))}")

    def end(self) -> None:
        verified = self.verified
        if self.quiet or verified.missed:
            return
        broken = verified.count("broken") + (verified.error is not None)
        skipped = verified.count("not run")
        not_run = f", {skipped} not run" if skipped else ""
        self._say(f"  {verified.count('kept')} checks kept, {broken} broken{not_run} ({self.target})")
        self._say("  It is written as these pages show:")
        for page in self.entry.manifest.documentation:
            self._say(f"    {page}")
        self._say("")

    def _say(self, text: str) -> None:
        self.console.print(text, highlight=False, soft_wrap=True)
