"""Where the cgroups of a process are.

Version 1 has a hierarchy per controller, version 2 one for all controllers (kernel documentation, admin-guide/cgroup-v1
and cgroup-v2).
"""

from pathlib import Path


def paths_of(process: Path) -> dict[str, str]:
    """Returns controller → path in its hierarchy, of one process. The name of v2's hierarchy is empty.

    `process`: its folder below /proc.
    """
    lines = (process / "cgroup").read_text(encoding="utf-8").splitlines()
    return {name: path for _, names, path in (line.split(":", 2) for line in lines) for name in names.split(",")}


def v1_mount(mounts: Path, controller: str) -> Path | None:
    """Returns the root of a controller's hierarchy. It is mounted alone or with others, under a joint name.

    None where no hierarchy of version 1 has it.
    """
    found = [mounts / controller, *(m for m in sorted(mounts.glob("*")) if controller in m.name.split(","))]
    return next((mount for mount in found if mount.is_dir()), None)


def with_those_above(mount: Path, path: str) -> list[Path]:
    """Returns the folder of a cgroup and those of all cgroups above it, up to the root of its hierarchy.

    In a container a mount can begin at the container's own cgroup, while the kernel gives paths from the host's root.
    So some of the folders may not exist.
    """
    own = mount / path.lstrip("/")
    return [folder for folder in (own, *own.parents) if folder.is_relative_to(mount)]
