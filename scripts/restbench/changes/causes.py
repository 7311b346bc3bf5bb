"""What differs between two versions of an entry: the possible causes of a difference, the most specific first."""

import re
from collections.abc import Iterable, Mapping

from restbench.catalog import Entry
from restbench.changes.comparison import MOST_CAUSES, Cause, CauseKind, clipped_name
from restbench.containers.images import base_images
from restbench.results.models import Run


def causes_of(base: Entry, head: Entry, target: str, before: Run | None, after: Run | None) -> list[Cause]:
    """Returns what differs between base and head on a target. `before` and `after` are what a run recorded of them."""
    framework = head.manifest.package.partition(":")[2]
    old, new = base.locked_versions(target), head.locked_versions(target)
    packages = list(_differences(CauseKind.DEPENDENCY, old, new))
    servers = {name for name in {*old, *new} if name.lower() in _words(base) | _words(head)}
    runtimes = [_runtime(run) for run in (before, after) if run and run.runtime is not None]
    # the files of the base, with the name that its folder has now
    was, now = f"{base.name}/", f"{head.name}/"
    files = {
        now + path.removeprefix(was) if path.startswith(was) else path: found
        for path, found in base.app_files(target).items()
    }
    version = {framework: base.version(target)}, {framework: head.version(target)}
    found = [
        *_differences(CauseKind.FRAMEWORK, *version),
        *_differences(CauseKind.SERVER, {"server": base.manifest.server}, {"server": head.manifest.server}),
        *(cause.model_copy(update={"kind": CauseKind.SERVER}) for cause in packages if cause.name in servers),
        *(cause for cause in packages if cause.name not in servers and cause.name != framework),
        *(_differences(CauseKind.RUNTIME, *runtimes) if len(runtimes) == 2 else ()),
        *(_differences(CauseKind.IMAGE, _images(base), _images(head)) if target == "docker" else ()),
        *_differences(CauseKind.CODE, files, head.app_files(target)),
    ]
    return found[:MOST_CAUSES]


def _runtime(run: Run) -> dict[str, str | None]:
    """The version of a runtime by its name, which runs record as one text such as "CPython 3.13.5", and its build."""
    name, _, version = (run.runtime or "").rpartition(" ")
    return {name or "version": version, "build": run.runtime_build}


def _differences(kind: CauseKind, before: Mapping[str, str | None], after: Mapping[str, str | None]) -> Iterable[Cause]:
    """Returns a cause for each name with another value, in the order of names."""
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        if was != now:
            before_, after_ = (value and clipped_name(value) for value in (was, now))
            yield Cause(kind=kind, name=clipped_name(name), before=before_, after=after_)


def _words(entry: Entry) -> set[str]:
    """The names in the entry's server: {"gunicorn", "uvicorn"} of "gunicorn+uvicorn"."""
    return set(re.findall(r"[a-z0-9_.-]+", (entry.manifest.server or "").lower()))


def _images(entry: Entry) -> dict[str, str | None]:
    """The base images of the entry's Dockerfile: name → tag, with the digest where it has one."""
    found: dict[str, str | None] = {}
    for image in base_images(entry.dockerfile()):
        name, _, tag = image.partition(":")
        found[name] = ", ".join(filter(None, [found.get(name), tag]))
    return found
