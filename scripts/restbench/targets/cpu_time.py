"""How the CPU time of native apps is counted on this machine, and whether two of them share a CPU equally."""

from functools import cache
from pathlib import Path

from restbench.containers.cgroups import CgroupParent, in_root_group, places
from restbench.system.resource_use import clocks_work
from restbench.targets.app_processes import AppCgroup, AppProcesses, usable
from restbench.targets.process_tree import ProcessTree

_AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")


@cache
def app_place() -> CgroupParent | None:
    """Returns the place where cgroups of apps are made, None where this harness may make none."""
    return next((place for place in places() if usable(place)), None)


def app_processes() -> AppProcesses:
    """Returns a holder for the processes of an app that is about to start: a cgroup if possible. Raises OSError."""
    place = app_place()
    return AppCgroup(place) if place else ProcessTree()


def how_counted() -> str:
    """Returns a phrase that says how the CPU time of native apps is counted."""
    place = app_place()
    if place:
        return f"of an app's cgroup ({place.version})"
    return "of each process, by its own clock" if clocks_work() else "of each process, in ticks of 10 ms"


def cpu_counter_unavailable_reason() -> str | None:
    """Returns None when the CPU times of two native apps can be compared, else why not and what to do."""
    if app_place() or clocks_work():
        return None
    return (
        "the CPU time of an app is known in ticks of 10 ms only, as this kernel shows no clock of another process: "
        "rows have no relative cost; run restbench where it may make cgroups (root mostly may), or use --target docker"
    )


def fair_sharing(autogroup: Path = _AUTOGROUP) -> str | None:
    """Returns None when two native apps get equal shares of a CPU, else why not and what to do.

    The shares are equal when they do not depend on how many threads each app has. A cgroup for each app ensures that.
    Without cgroups the kernel's autogroup does: it makes a group for each session (sched(7)), so one for each app, and
    one more for each session that an app opens itself. Autogroup has effect in the root cgroup only.
    """
    place = app_place()
    if place and place.shares:
        return None
    try:
        enabled = autogroup.read_text().strip() == "1"
    except OSError:  # a kernel without autogroup
        enabled = False
    unequal = "an app with more threads gets more of a CPU that two apps share"
    if not in_root_group():
        return f"{unequal}: run restbench where it may make cgroups (root mostly may), or use --target docker"
    if not enabled:
        return f"{unequal}: switch on autogroup with: sysctl kernel.sched_autogroup_enabled=1"
    return None
