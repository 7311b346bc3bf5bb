"""What a machine is: its CPU model, kind, governor and class."""

import platform
import subprocess
from pathlib import Path

import pytest

from restbench.commands import doctor
from restbench.errors import UsageError
from restbench.measure.machine import describe_machine, machine_class
from restbench.render import labels
from restbench.results.models import Machine
from restbench.system import hardware
from restbench.system.cpus import CpuSplit, split_of, this_machine
from restbench.system.hardware import cpu_model, governor, machine_kind
from tests.made.machines import plant
from tests.made.records import MACHINE


def cpuinfo(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines).replace(": ", "\t: ")


I7 = "12th Gen Intel(R) Core(TM) i7-12700K"
X86 = cpuinfo("processor: 0", "vendor_id: GenuineIntel", "model: 151", f"model name: {I7}", "flags: fpu vme")
VIRTUAL_X86 = X86.replace("vme", "vme hypervisor lahf_lm")
ARM = cpuinfo("processor: 0", "BogoMIPS: 243.75", "CPU implementer: 0x41", "CPU architecture: 8", "CPU part: 0xd0c")
RASPBERRY = ARM + cpuinfo("Hardware: BCM2835", "Revision: c03114", "Model: Raspberry Pi 4 Model B Rev 1.4")
POWER = cpuinfo("processor: 0", "cpu: POWER9, altivec supported", "clock: 3800MHz", "machine: PowerNV 9006-22P")
S390X = cpuinfo("vendor_id: IBM/S390", "# processors: 2") + (
    "processor 0: version = FF,  identification = 0133E8,  machine = 8561\n"
)
RISCV = cpuinfo("processor: 0", "hart: 1", "isa: rv64imafdc", "mmu: sv39", "uarch: sifive,u74-mc")
LOONGARCH = cpuinfo("system type: generic", "processor: 0", "CPU Family: Loongson", "Model Name: Loongson-3A5000")
MIPS = cpuinfo("system type: Loongson-3", "processor: 0", "cpu model: ICT Loongson-3 V0.4")
MACBOOK = "Apple MacBook Pro (14-inch, M1 Pro, 2021)"
ARCHITECTURE = platform.machine()
CODES = f"{ARCHITECTURE} implementer 0x41 part 0xd0c"


@pytest.mark.parametrize(
    ("files", "model"),
    [
        ({"proc/cpuinfo": X86}, I7),
        ({"proc/cpuinfo": RASPBERRY}, "Raspberry Pi 4 Model B Rev 1.4"),
        ({"proc/cpuinfo": POWER}, "POWER9, altivec supported"),
        ({"proc/cpuinfo": RISCV}, "sifive,u74-mc"),
        ({"proc/cpuinfo": LOONGARCH}, "Loongson-3A5000"),
        ({"proc/cpuinfo": MIPS}, "ICT Loongson-3 V0.4"),
        ({"proc/cpuinfo": S390X}, f"{ARCHITECTURE} IBM/S390 machine 8561"),
        ({"proc/cpuinfo": ARM, "proc/device-tree/model": f"{MACBOOK}\0"}, MACBOOK),
        ({"proc/cpuinfo": ARM, "proc/device-tree/model": "linux,dummy-virt\0"}, CODES),
        ({"proc/cpuinfo": ARM}, CODES),
        ({"proc/cpuinfo": ""}, ARCHITECTURE),
        ({"proc/cpuinfo": "model name\t:\n"}, ARCHITECTURE),
        ({}, ARCHITECTURE),
    ],
)  # fmt: skip
def test_a_cpu_is_named_on_every_architecture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], model: str
) -> None:
    monkeypatch.setattr(hardware, "_lscpu", lambda _root: None)
    assert cpu_model(plant(tmp_path, files)) == model


def test_lscpu_knows_the_codes_of_arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = "Vendor ID:    ARM\n  Model name:    Cortex-A55\n  Model name:    Cortex-A76\nModel name: -\n"
    done = subprocess.CompletedProcess(["lscpu"], 0, listing, "")
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: done)
    assert cpu_model(plant(tmp_path, {"proc/cpuinfo": ARM})) == "Cortex-A55 and Cortex-A76"


def test_without_lscpu_codes_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cpu_model(plant(tmp_path, {"proc/cpuinfo": ARM})) == CODES


DMI = "sys/class/dmi/id"


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"proc/cpuinfo": X86}, None),
        ({"proc/cpuinfo": VIRTUAL_X86}, "vm"),
        ({"proc/cpuinfo": ARM, f"{DMI}/sys_vendor": "QEMU\n", f"{DMI}/product_name": "QEMU Virtual Machine\n"}, "vm"),
        ({"proc/cpuinfo": ARM, f"{DMI}/sys_vendor": "Amazon EC2\n", f"{DMI}/product_name": "c7g.large\n"}, "vm"),
        ({"proc/cpuinfo": ARM, f"{DMI}/sys_vendor": "Amazon EC2\n", f"{DMI}/product_name": "c7g.metal\n"}, None),
        ({"proc/cpuinfo": ARM, "proc/device-tree/model": "linux,dummy-virt\0"}, "vm"),
        ({"proc/cpuinfo": ARM, "proc/device-tree/hypervisor/compatible": "linux,kvm\0"}, "vm"),
        (
            {"proc/cpuinfo": VIRTUAL_X86, "proc/sys/kernel/osrelease": "5.15.167.4-microsoft-standard-WSL2\n"},
            "wsl",
        ),
        ({f"{DMI}/chassis_type": "10\n", f"{DMI}/sys_vendor": "LENOVO\n"}, "laptop"),
        ({f"{DMI}/chassis_type": "31\n"}, "laptop"),
        ({f"{DMI}/chassis_type": "3\n", f"{DMI}/sys_vendor": "ASUS\n"}, None),
        ({"proc/device-tree/chassis-type": "laptop\0", "proc/device-tree/model": MACBOOK}, "laptop"),
        ({}, None),
    ],
)  # fmt: skip
def test_the_kind_of_a_machine_is_known(tmp_path: Path, files: dict[str, str], kind: str | None) -> None:
    assert machine_kind(plant(tmp_path, files)) == kind


def with_governor(*governors: str, driver: str = "intel_pstate") -> dict[str, str]:
    folder = "sys/devices/system/cpu"
    files = {f"{folder}/cpu{cpu}/cpufreq/scaling_governor": f"{name}\n" for cpu, name in enumerate(governors)}
    return files | {f"{folder}/cpu0/cpufreq/scaling_driver": f"{driver}\n"}


LAPTOP = {f"{DMI}/chassis_type": "10\n"}
HYBRID = {
    "sys/devices/cpu_core/cpus": "0-3",
    "sys/devices/cpu_atom/cpus": "4-11",
    "sys/devices/system/cpu/online": "0-11",
}
QUOTA = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "250000 100000\n"}


@pytest.mark.parametrize(
    ("files", "allowed", "name", "title"),
    [
        ({}, 2, "local-x86_64-1of2cpu", "local machine, x86_64, 2 CPUs, 1 for the app"),
        (
            {"proc/cpuinfo": VIRTUAL_X86}, 2, "local-vm-x86_64-1of2cpu",
            "local virtual machine, x86_64, 2 CPUs, 1 for the app",
        ),
        (
            LAPTOP | with_governor("performance", "performance"), 2, "local-laptop-x86_64-1of2cpu",
            "local laptop, x86_64, 2 CPUs, 1 for the app",
        ),
        (
            LAPTOP | HYBRID | with_governor(*["powersave"] * 12), 12, "local-laptop-x86_64-2of12cpu-p-cores-powersave",
            "local laptop, x86_64, 12 CPUs, 2 for the app, p-cores-powersave",
        ),
        (
            with_governor("powersave", "performance"), 2, "local-x86_64-1of2cpu-performance-powersave",
            "local machine, x86_64, 2 CPUs, 1 for the app, performance-powersave",
        ),
        (QUOTA, 8, "local-x86_64-1of2cpu", "local machine, x86_64, 2 CPUs, 1 for the app"),
    ],
)  # fmt: skip
def test_a_class_has_what_makes_figures_incomparable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], allowed: int, name: str, title: str
) -> None:
    for variable in ("RESTBENCH_MACHINE", "RUNNER_ENVIRONMENT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    root = plant(tmp_path, files)
    assert machine_class(split_of(set(range(allowed)), root), root) == name
    assert labels.machine_class(name) == title
    Machine(**(MACHINE.model_dump() | {"machine_class": name}))


def test_hosted_runners_and_named_machines_keep_their_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = plant(tmp_path, {"proc/cpuinfo": VIRTUAL_X86} | with_governor(*["powersave"] * 4))
    split = split_of({0, 1, 2, 3}, root)
    monkeypatch.delenv("RESTBENCH_MACHINE", raising=False)
    monkeypatch.setenv("RUNNER_ENVIRONMENT", "github-hosted")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert machine_class(split, root) == "github-hosted-x86_64-2of4cpu"
    assert labels.machine_class("github-hosted-x86_64-2of4cpu") == (
        "GitHub-hosted runner, x86_64, 4 CPUs, 2 for the app"
    )
    # results from before the app's CPUs were named
    assert labels.machine_class("github-hosted-x86_64-4cpu") == "GitHub-hosted runner, x86_64, 4 CPUs"
    monkeypatch.setenv("RESTBENCH_MACHINE", "lab-7")
    assert machine_class(split, root) == "lab-7"
    monkeypatch.setenv("RESTBENCH_MACHINE", "My Machine")
    with pytest.raises(UsageError, match="RESTBENCH_MACHINE is 'My Machine': write at most 60 small letters"):
        machine_class(split, root)


def test_a_class_is_never_too_long_for_a_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("RESTBENCH_MACHINE", "RUNNER_ENVIRONMENT"):
        monkeypatch.delenv(variable, raising=False)
    split = CpuSplit((1,), (0,), (0,), pinned=True, count=256, kind="capacity 1024 and capacity 446 and capacity 250")
    name = machine_class(split, plant(tmp_path, with_governor("schedutil", "conservative")))
    Machine(**(MACHINE.model_dump() | {"machine_class": name}))


@pytest.mark.parametrize(
    ("files", "caution"),
    [
        (with_governor("performance", "performance"), None),
        ({}, None),
        (with_governor("powersave", "powersave"), "the usual default of intel_pstate, and not slow by itself"),
        (with_governor("powersave", "powersave", driver="acpi-cpufreq"), "CPUs may be slow"),
        (with_governor("schedutil", "schedutil", driver="acpi-cpufreq"), "CPUs may be slow"),
        (with_governor("powersave", "performance"), "CPUs may be slow"),
    ],
)
def test_doctor_says_what_a_governor_means(tmp_path: Path, files: dict[str, str], caution: str | None) -> None:
    root = plant(tmp_path, files)
    tools = [tool for tool in doctor.cpus(split_of({0, 1}, root), root) if tool.name == "governor"]
    assert [tool.found for tool in tools] == [each for each in [governor((0, 1), root)] if each]
    assert [bool(tool.remedy) for tool in tools] == [bool(caution)] * len(tools)
    assert all(tool.remedy.startswith(caution or "") for tool in tools)


def test_this_machine_can_be_described() -> None:
    machine = describe_machine(this_machine(), docker=False)
    assert machine.cpus >= len({*machine.app_cpus, *machine.load_cpus})
    assert machine.cpu_model
