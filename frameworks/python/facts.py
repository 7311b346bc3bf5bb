"""What an entry's environment knows of itself, as JSON: `python facts.py <name of the framework's package>`.

It runs inside the environment or the image, and reads the metadata that installed packages and the interpreter bring.
"""

import json
import platform
import sys
import sysconfig
from importlib.metadata import PackageMetadata, distributions, metadata


def licence(package: PackageMetadata) -> str | None:
    """The licence as the package declares it: by an SPDX expression, in words, or by a classifier."""
    if expression := package.get("License-Expression"):
        return expression
    words = package.get("License") or ""
    if words and words != "UNKNOWN" and len(words) < 40:  # some put the whole text there
        return words
    classifiers = [c.rpartition(" :: ")[2] for c in package.get_all("Classifier") or [] if c.startswith("License ::")]
    return classifiers[0].removesuffix(" License") if classifiers else None


def interpreter_build() -> str:
    """How the interpreter was compiled: without profile-guided optimisation it is a third slower.

    Distributions compile theirs with it and clean the flags that would tell, so theirs are told by their place.
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
