"""`restbench bench`: makes one run, from the catalogue to the results in out/."""

import html
import os
import random
import secrets
import shutil
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from restbench.board import Board, build_board
from restbench.catalog import Entry
from restbench.catalog.profiles import Profile, find_profile
from restbench.changes.comparison_summary import within
from restbench.commands.build import exit_code, say_missed
from restbench.commands.options import Frameworks, Out, Port, ProfileName, Quiet, Seed, Suites, TargetName
from restbench.commands.selection import Selection, expect_tools, select
from restbench.errors import Interrupted, RestbenchError, ResultsError, UsageError
from restbench.loadgen import OHA, WRK
from restbench.measure import Outcome, Plan, run_board
from restbench.measure.machine import describe_machine
from restbench.measure.plan import hashes_of
from restbench.measure.tools import Tools
from restbench.render.answer import RunAnswer, answer_of, disturbed_answer
from restbench.render.progress import minutes, progress_on
from restbench.render.report import render_report
from restbench.render.terminal import answer_text, print_answer, warnings_of
from restbench.results.files import entry_path, read_entry, write_entry
from restbench.results.journal import Journal, Unfinished, read_unfinished
from restbench.results.merge import LATEST
from restbench.results.models import EntryResult
from restbench.system.advice import command_line, option
from restbench.system.cpus import this_machine
from restbench.system.files import write_atomically, writing
from restbench.system.quotas import REMEDY
from restbench.system.repository import Repository, find_repository
from restbench.targets.cpu_time import cpu_counter_unavailable_reason
from restbench.targets.facts import collect

JOURNAL = "rounds.jsonl"


@dataclass(frozen=True)
class _Request:
    """What a run measures, and how. A run that is resumed has what was asked for at first."""

    frameworks: list[str] | None
    suites: list[str] | None
    profile: str
    target: str
    port: int | None
    seed: int | None


def bench(
    frameworks: Frameworks = None,
    suites: Suites = None,
    profile: ProfileName = "quick",
    target: TargetName = "auto",
    port: Port = None,
    out: Out = None,
    seed: Seed = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue the unfinished run, with the arguments that it had")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Measures, writes out/ and prints who is faster, in a job on GitHub with all tables to its summary.

    Returns 1 if a cell failed, or if other programs or a CPU quota kept one from being measured, 2 if a manifest is
    broken, else 0.
    Returns 3 if nothing failed, and an entry was not measured because this machine or a server failed. Raises
    Interrupted after it has written the results so far.
    """
    repository = find_repository()
    request = _Request(frameworks, suites, profile, target, port, seed)
    with writing(out or repository.out, repository.state / "locks"):
        return _bench(request, out, repository, resume, quiet)


def _bench(request: _Request, folder: Path | None, repository: Repository, resume: bool, quiet: bool) -> int:
    out = folder or repository.out
    selection, plan, taken_up = _planned(request, out, resume)
    began = time.monotonic()
    with Journal(out / JOURNAL, taken_up) as journal:
        with progress_on(sys.stderr, quiet) as observe:
            outcome = run_board(plan, journal, observe, taken_up, _Keeping(out / "results"))
        seconds = time.monotonic() - began
        written = write_run(out, selection, outcome, folder) if outcome.measured or not outcome.interrupted else None
        if not (outcome.interrupted or outcome.shortage):
            journal.finish()
    if not (quiet or outcome.interrupted):
        announced = minutes(outcome.planned_seconds)
        print(f"measured in {minutes(seconds)}; {announced} were announced", file=sys.stderr)
    if written is None:
        raise Interrupted("interrupted before anything was measured: everything that was started has been stopped")
    answer, board = written
    print_answer(answer)
    if not quiet:
        print(f"Report: {out}/report.html")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(summary_markdown(answer, board))
    if not outcome.shortage:
        for warning in warnings_of(outcome.results):
            print(f"warning: {warning}", file=sys.stderr)
    if outcome.interrupted:
        raise Interrupted(
            f"interrupted: everything that was started has been stopped; the results so far are in {out}/; "
            f"continue with: {command_line('bench', out=folder, resume=True)}"
        )
    if outcome.missed:
        print(say_missed(outcome.missed, selection, "not measured to the end"), file=sys.stderr)
    return exit_code(selection, failed=bool(outcome.failures or outcome.shortage), missed=bool(outcome.missed))


def _planned(request: _Request, out: Path, resume: bool) -> tuple[Selection, Plan, Unfinished | None]:
    """Returns the selection and the plan of the request, or of the run that is resumed, and that run."""
    taken_up = read_unfinished(out / JOURNAL) if resume else None
    if taken_up:
        asked = taken_up.asked
        names = [asked.folders.get(name, name) for name in asked.entries]
        request = _Request(names, asked.suites, asked.profile, asked.target, port=request.port, seed=asked.seed)
    selection = select(request.frameworks, request.suites, request.target, request.port)
    plan = make_plan(selection, find_profile(request.profile), request.seed)
    if taken_up:
        check_same(taken_up, plan)
    return selection, plan, taken_up


def check_same(taken_up: Unfinished, plan: Plan) -> None:
    """Raises UsageError if an entry, a baseline, the reference or the machine differs from the run that is resumed."""
    asked = taken_up.asked
    then, now = {**asked.beside, **asked.entries}, {**hashes_of(plan.beside), **hashes_of(plan.entries)}
    changed = sorted(name for name in then | now if then.get(name) != now.get(name))
    if changed:
        raise UsageError(f"{', '.join(changed)}: changed since that run: start anew without {option('resume', True)}")
    if asked.machine != plan.machine:
        anew = f"start anew without {option('resume', True)}"
        raise UsageError(f"that run was on another machine, or with another restbench: {anew}")


class _Keeping:
    """Writes each entry's result when the entry is finished. The first one replaces the results of the last run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._begun = False

    def __call__(self, result: EntryResult) -> None:
        if not self._begun:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._begun = True
        write_entry(self._folder, result)


def make_plan(selection: Selection, profile: Profile, seed: int | None) -> Plan:
    """Returns the plan for a selection. Without the reference everything is measured except the ratios to it.

    Under a CPU quota, this process is pinned to the CPUs that the quota leaves. Raises MissingToolError if what every
    run needs is missing, and RestbenchError where a quota leaves less than one CPU.
    """
    cpus, reference = this_machine(), selection.catalog.reference
    if cpus.quota and cpus.quota.cpus < 1:
        raise RestbenchError(f"a CPU quota of less than one CPU would throttle every round ({cpus.quota}): {REMEDY}")
    expect_tools()
    for remark in cpus.remarks:
        print(remark, file=sys.stderr)
    if cpus.quota:
        # what this harness does beside the sides counts for the quota, too
        os.sched_setaffinity(0, cpus.used)
    seed = secrets.randbits(32) if seed is None else seed
    if reference and (lacking := selection.runtime.unavailable_reason(reference)):
        print(f"the reference is not measured: {lacking}", file=sys.stderr)
        reference = None
    if (missing := OHA.unavailable_reason()) and profile.latency_rounds:
        print(f"percentiles are not measured: {missing}", file=sys.stderr)
    return Plan(
        entries=selection.entries,
        reference=reference,
        baselines=_baselines(selection),
        suites=selection.suites,
        tools=Tools(profile, cpus, WRK, OHA, random.Random(seed)),
        runtime=selection.runtime,
        machine=describe_machine(cpus, docker=selection.runtime.name == "docker"),
        collect=lambda entry: collect(entry, selection.runtime, selection.repository.state / "releases.json"),
        make_backend=selection.make_backend,
        seed=seed,
        build_seconds=partial(build_seconds, selection.repository.results / LATEST, selection.runtime.name),
    )


def build_seconds(results: Path, target: str, entry: Entry) -> float | None:
    """Returns how long the build of an entry took when its published results were measured.

    Without any of the target, the median of its language. None if that is not known either.
    """

    def published(path: Path) -> float | None:
        try:
            runs = read_entry(path).runs.values()
        except ResultsError:
            return None
        return max((run.build_seconds for run in runs if run.target == target and run.build_seconds), default=None)

    own = published(entry_path(results, entry.id))
    if own is not None:
        return own
    others = [seconds for path in (results / entry.language.name).glob("*.json") if (seconds := published(path))]
    return median(others) if others else None


def _baselines(selection: Selection) -> dict[str, Entry]:
    """Returns the baseline of each language of the selection. It is measured even if it was not asked for.

    A language has none if this machine cannot run it or count CPU time.
    """
    if selection.runtime.name == "native" and (reason := cpu_counter_unavailable_reason()):
        print(f"no relative cost: {reason}", file=sys.stderr)
        return {}
    found: dict[str, Entry] = {}
    for entry in selection.entries:
        baseline = selection.catalog.baseline_of(entry)
        if baseline is None or entry.language.name in found:
            continue
        if baseline not in selection.entries:
            if lacking := selection.runtime.unavailable_reason(baseline):
                print(f"the baseline {baseline.id} is not measured: {lacking}", file=sys.stderr)
                continue
            print(
                f"{baseline.id} is measured too: it is the baseline of {entry.language.manifest.title}", file=sys.stderr
            )
        found[entry.language.name] = baseline
    return found


def summary_markdown(answer: RunAnswer, board: Board) -> str:
    """Returns the answer and all tables for the summary of a job on GitHub, which shows them as they are."""
    return f"<pre>\n{within(html.escape(answer_text(answer, board)))}</pre>\n"


def write_run(out: Path, selection: Selection, outcome: Outcome, folder: Path | None) -> tuple[RunAnswer, Board]:
    """Replaces the last run in out/ with the results and the report of this run. Returns its answer and its board.

    `folder`: the one that was asked for. Raises ResultsError if the results cannot be written. Those of the last run
    stay then.
    """
    results, fresh = out / "results", out / ".results"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        for result in outcome.results:
            write_entry(fresh, result)
    except ResultsError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    shutil.rmtree(results, ignore_errors=True)
    fresh.rename(results)
    board = build_board(selection.catalog, outcome.results)
    answer = (
        disturbed_answer(outcome.shortage, command_line("bench", out=folder, resume=True))
        if outcome.shortage
        else answer_of(board)
    )
    write_atomically(out / "report.html", render_report(board, selection.catalog, answer).encode())
    return answer, board
