"""conan_facts.py PACKAGES LIBRARIES RUNTIME: prints the facts of an entry with Conan's packages as JSON.

PACKAGES is the folder of conan-packages: graph.json is what `conan install` took, and revisions.json has the revisions
of the framework. LIBRARIES names Debian's packages, one per line. Conan's own environment runs this, so only modules of
Python are used.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def facts(graph: dict[str, Any], revisions: dict[str, Any], libraries: list[str], runtime: str) -> dict[str, Any]:
    """Returns licence, number of packages, runtime and release date. The framework is what the entry requires first.

    Packages that only build others are not counted.
    """
    nodes = graph["graph"]["nodes"]
    framework = next(number for number, edge in nodes["0"]["dependencies"].items() if edge["direct"])
    licence = nodes[framework]["license"]
    packages = [node for node in nodes.values() if node["context"] == "host" and node["name"]]
    return {
        "licence": licence if isinstance(licence, str) else ", ".join(licence),
        "packages": len(packages) + len(libraries),
        "runtime": runtime,
        "released": released(revisions),
    }


def released(listed: dict[str, Any]) -> str | None:
    """Returns the date when the remote first had the version, as ISO 8601: that of its oldest revision.

    None where the remote did not answer. The build can do without it if an earlier build kept the packages.
    """
    times = [
        revision["timestamp"]
        for remote in listed.values()
        for package in remote.values()
        if isinstance(package, dict)
        for revision in package.get("revisions", {}).values()
    ]
    return datetime.fromtimestamp(min(times), UTC).date().isoformat() if times else None


if __name__ == "__main__":
    packages, libraries, runtime = sys.argv[1:]
    graph, revisions = (json.loads((Path(packages) / name).read_text()) for name in ("graph.json", "revisions.json"))
    print(json.dumps(facts(graph, revisions, Path(libraries).read_text().split(), runtime)))
