"""What a machine is: its CPU model, whether it is a virtual machine or a laptop, and its governor."""

import os
import platform
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from restbench.system.cpu_kinds import read_word

_NAMES = ("model name", "Model Name", "Model", "cpu model", "cpu", "uarch")
"""The keys of /proc/cpuinfo that name the CPU: of x86, LoongArch, some ARM boards, MIPS, POWER and RISC-V."""

_LAPTOPS = {"8", "9", "10", "14", "30", "31", "32", "laptop", "convertible", "tablet"}
"""The chassis of laptops and tablets, as numbers of SMBIOS and as words of a device tree."""

_VIRTUAL = re.compile(
    r"qemu|kvm|vmware|virtualbox|innotek|xen|amazon ec2|google|virtual machine|virtualization|parallels|bochs|bhyve"
    r"|openstack|alibaba cloud|dummy-virt",
    re.IGNORECASE,
)
"""What vendors and products of virtual machines are called, where the CPU does not say that it has a hypervisor."""

_ACTIVE_DRIVERS = {"intel_pstate", "amd-pstate-epp"}
"""Drivers whose governor "powersave" lets the CPU choose any frequency. With other drivers it is the lowest one."""

_FASTER = "cpupower frequency-set --governor performance"

_LSCPU_SECONDS = 5


def cpu_model(root: Path = Path("/")) -> str:
    """Returns the name of the CPU, else its codes, else the architecture."""
    known = _cpuinfo(root)
    if named := next((known[key] for key in _NAMES if known.get(key)), None):
        return named
    board = read_word(root / "proc/device-tree/model")
    if board and not _VIRTUAL.search(board):
        return board
    if found := _lscpu(root):
        return found
    codes = {"CPU implementer": "implementer", "CPU part": "part", "vendor_id": "", "machine": "machine"}
    named = " ".join(f"{name} {known[key]}".strip() for key, name in codes.items() if known.get(key))
    return f"{platform.machine()} {named}".strip()


def machine_kind(root: Path = Path("/")) -> str | None:
    """Returns "wsl", "vm" or "laptop" where the machine is one, else None."""
    dmi, tree = root / "sys/class/dmi/id", root / "proc/device-tree"
    if "microsoft" in read_word(root / "proc/sys/kernel/osrelease").lower():
        return "wsl"
    product = " ".join(read_word(dmi / name) for name in ("sys_vendor", "product_name")) + read_word(tree / "model")
    is_metal = product.endswith(".metal")  # the machines of a cloud that have no hypervisor
    is_virtual = "hypervisor" in _cpuinfo(root).get("flags", "").split() or (tree / "hypervisor").exists()
    if is_virtual or (_VIRTUAL.search(product) and not is_metal):
        return "vm"
    chassis = {read_word(dmi / "chassis_type"), read_word(tree / "chassis-type")}
    return "laptop" if chassis & _LAPTOPS else None


def governor(cpus: Iterable[int], root: Path = Path("/")) -> str | None:
    """Returns the governors of the CPUs' frequencies, such as "powersave". None where the kernel shows none."""
    files = (root / f"sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor" for cpu in cpus)
    return ", ".join(sorted({word for word in map(read_word, files) if word})) or None


def slow_governor(cpus: Iterable[int], root: Path = Path("/")) -> str | None:
    """Returns what a governor other than "performance" means for figures, with the remedy. None where there is none."""
    found = governor(cpus, root)
    if found in (None, "performance"):
        return None
    driver = read_word(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver")
    if found == "powersave" and driver in _ACTIVE_DRIVERS:
        return f"the usual default of {driver}, and not slow by itself; rounds may differ less with: {_FASTER}"
    return f"CPUs may be slow, or take a while to be fast; rounds differ less with: {_FASTER}"


def _cpuinfo(root: Path) -> dict[str, str]:
    """Returns the first value of each key of /proc/cpuinfo. On s390x, some are in one line: "machine = 3931"."""
    found: dict[str, str] = {}
    for line in read_word(root / "proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        for name, equals, inner in (each.partition("=") for each in value.split(",")):
            if equals and key.startswith("processor"):
                found.setdefault(name.strip(), inner.strip())
        found.setdefault(key.strip(), value.strip())
    return found


def _lscpu(root: Path) -> str | None:
    """Returns the CPU models that lscpu knows by their codes. None where it is not there or knows none."""
    command, environment = ["lscpu", f"--sysroot={root}"], {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", env=environment, timeout=_LSCPU_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return None
    fields = (line.strip().partition(":") for line in done.stdout.splitlines())
    models = dict.fromkeys(value.strip() for name, _, value in fields if name == "Model name")
    return " and ".join(model for model in models if model != "-") or None
