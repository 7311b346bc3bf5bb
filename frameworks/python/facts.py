"""Prints facts about an entry's environment as JSON: `python facts.py <name of the framework's package>`.

It runs inside the environment or the image, and reads the metadata of the installed packages and of the interpreter.
"""

import json
import platform
import sys
import sysconfig
from importlib.metadata import PackageMetadata, distributions, metadata


def licence(package: PackageMetadata) -> str | None:
    """Returns the licence as the package declares it: an SPDX expression, a short text, or a classifier."""
    if expression := package.get("License-Expression"):
        return expression
    words = package.get("License") or ""
    if words and words != "UNKNOWN" and len(words) < 40:  # some packages have the whole text of the licence there
        return words
    classifiers = [c.rpartition(" :: ")[2] for c in package.get_all("Classifier") or [] if c.startswith("License ::")]
    return classifiers[0].removesuffix(" License") if classifiers else None


def interpreter_build() -> str:
    """Says how the interpreter was compiled. Without profile-guided optimisation (PGO) it is a third slower.

    Distributions compile their interpreters with PGO and remove the flags that would show it. Their interpreters are
    recognised by the prefix /usr.
    """
    flags = " ".join(
        str(sysconfig.get_config_var(name)) for name in ("CONFIG_ARGS", "PY_CORE_CFLAGS", "PY_CORE_LDFLAGS")
    )
    if "-fprofile-use" not in flags and "--enable-optimizations" not in flags and sys.base_prefix == "/usr":
        return "the distribution's build"
    pgo = "-fprofile-use" in flags or "--enable-optimizations" in flags
    lto = "-flto" in flags or "--with-lto" in flags
    return f"{'PGO' if pgo else 'no PGO'}, {'LTO' if lto else 'no LTO'}"


if __name__ == "__main__":
    facts = {
        "licence": licence(metadata(sys.argv[1])),
        "packages": len(list(distributions())),
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        "runtime_build": interpreter_build(),
    }
    print(json.dumps(facts))
