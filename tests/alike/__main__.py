"""`python -m tests.alike`: records rounds anew, and prints how often a tree tells measured and checked ones apart."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.alike.rounds import SCENARIOS, read, record, write
from tests.alike.tree import told_apart

EACH = 24
"""How many measured and how many checked rounds of each scenario are recorded."""


def main() -> None:
    with TemporaryDirectory() as folder:
        write(record(Path(folder), EACH, SCENARIOS, random.Random()))
    recordings = read()
    for scenario in SCENARIOS:
        told = told_apart([each for each in recordings if each.scenario == scenario])
        print(f"{scenario}: {told}")


if __name__ == "__main__":
    main()
