"""`restbench compare`: entries as they are here against the same in another checkout, round by round on one machine."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.ci.changes import base_of
from restbench.ci.comparison import Comparison, EntryComparison, compare_cells, describe_new, overall, usual_ratios
from restbench.ci.summary import comparison_markdown
from restbench.commands.bench import Request, make_plan
from restbench.commands.setup import Selection, select
from restbench.errors import CatalogError, Interrupted, UsageError
from restbench.measure import Outcome, Plan, run_plan
from restbench.measure.schedule import paired_order
from restbench.profiles import Profile, find_profile
from restbench.progress import progress_on
from restbench.repository import Repository
from restbench.results.files import read_folder, write_atomically
from restbench.results.journal import Journal
from restbench.results.merge import LATEST
from restbench.results.models import EntryResult


def compare(base: Path, request: Request) -> int:
    """Writes out/comparison.json and out/comparison.md, and prints the latter. Returns 1 where a cell failed."""
    if not (base / "frameworks").is_dir():
        raise UsageError(f"{base} is no checkout of restbench: make one with git worktree add {base} main")
    profile = find_profile(request.profile)
    selection = select(request.frameworks, request.suites, request.target, request.port)
    out = request.out or selection.repository.out
    before = load_catalog(Repository(base.resolve()))
    began = time.monotonic()
    entries = [_compared(entry, before, selection, profile, request, out) for entry in selection.entries]
    comparison = Comparison(
        base=_commit(base),
        head=_commit(selection.repository.root),
        profile=profile.name,
        machine=make_plan(selection, profile, request.seed).machine.machine_class,
        minutes=(time.monotonic() - began) / 60,
        entries=entries,
    )
    text = comparison_markdown([comparison])
    write_atomically(out / "comparison.json", comparison.model_dump_json(indent=1).encode())
    write_atomically(out / "comparison.md", text.encode())
    print(text)
    failed = any(entry.status == "failed" or any(_failed(entry)) for entry in entries)
    return CatalogError.exit_code if selection.broken else 1 if failed else 0


def _failed(entry: EntryComparison) -> list[bool]:
    return [cell.verdict == "failed" for cell in entry.cells] + [cell.why is not None for cell in entry.new_cells]


def _compared(
    head: Entry, before: Catalog, selection: Selection, profile: Profile, request: Request, out: Path
) -> EntryComparison:
    """One entry against itself; one that is new against the reference and its language."""
    base = base_of(head, before)
    plan = make_plan(selection, profile, request.seed)
    versions = [base, head] if base else [head]
    tools = replace(plan.tools, order=paired_order)
    plan = replace(plan, entries=versions, tools=tools, reference=None if base else plan.reference)
    results = {result.entry: result for result in _measured(plan, out / f"rounds-{head.place}.jsonl").results}
    fields = {
        "entry": head.id,
        "title": head.title,
        "base_version": base.version() if base else None,
        "version": head.version(),
    }
    if head.id not in results:
        return EntryComparison(**fields, status="failed", why="nothing of it was measured")
    if base is None or base.id not in results:
        usual = usual_ratios(_language(head, selection.repository), plan.runtime.name)
        return EntryComparison(**fields, status="new", new_cells=describe_new(results[head.id], usual))
    throughput, cpu = overall(results[base.id], results[head.id])
    cells = compare_cells(results[base.id], results[head.id])
    return EntryComparison(**fields, status="changed", cells=cells, throughput=throughput, cpu=cpu)


def _measured(plan: Plan, rounds: Path) -> Outcome:
    with Journal(rounds) as journal, progress_on(sys.stderr) as observe:
        outcome = run_plan(plan, journal, observe)
    if outcome.interrupted:
        raise Interrupted("interrupted: everything started was stopped; nothing was compared")
    return outcome


def _language(head: Entry, repository: Repository) -> list[EntryResult]:
    """What the board has of the other entries of its language."""
    published = read_folder(repository.results / LATEST)
    return [r for name, r in published.items() if name.startswith(f"{head.language.name}/") and name != head.id]


def _commit(root: Path) -> str:
    """The commit that a checkout is at. Raises UsageError where it is none."""
    ran = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise UsageError(f"{root} is no git checkout: what is compared has to be a commit")
    return ran.stdout.strip()
