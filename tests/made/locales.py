"""Locales that are not UTF-8."""

import shutil
import subprocess
from pathlib import Path


def latin1(folder: Path) -> dict[str, str]:
    """Returns the variables of a locale in Latin-1, which is made in the folder.

    Without localedef or its sources it is the locale C, with none of what Python does by itself to print UTF-8 there.
    """
    name, variables = "de_DE.ISO-8859-1", {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    argv = ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", str(folder / name)]
    if shutil.which("localedef") and subprocess.run(argv, capture_output=True, check=False).returncode == 0:
        return {**variables, "LOCPATH": str(folder), "LC_ALL": name}
    return {**variables, "LC_ALL": "C"}
