"""What an entry's environment knows of itself, as JSON: `python facts.py <name of the framework's package>`.

It runs inside the environment or the image, and reads the metadata that installed packages bring.
"""

import json
import sys
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


if __name__ == "__main__":
    print(json.dumps({"licence": licence(metadata(sys.argv[1])), "packages": len(list(distributions()))}))
