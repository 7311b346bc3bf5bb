"""Chart configs and their QuickChart addresses."""

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pprint import pformat
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from restbench.board import Table
from restbench.board.rows import Chain
from restbench.catalog.manifests import LANGUAGE_COLOURS
from restbench.render import charts
from restbench.stats.intervals import Interval, Kind
from tests.made.boards import invented, long_row, long_table, made_board
from tests.made.shown import shown_board
from tests.unit.conftest import Golden


def sent(url: str) -> dict[str, str]:
    """The query as a server reads it."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query, strict_parsing=True).items()}


def tables(several: bool = False) -> list[Table]:
    sections = made_board(several=several).sections
    return [table for section in sections for suite in section.suites for table in suite.tables]


def axis(config: charts.Config) -> list[str]:
    lines: list[str] = config["options"]["scales"]["x"]["title"]["text"]
    return lines


def bars(config: charts.Config) -> dict[str, Any]:
    dataset: dict[str, Any] = config["data"]["datasets"][-1]
    return dataset


@pytest.mark.parametrize("name", ["userinfo-raw", "create-task-schema"])
def test_chart(name: str, golden: Golden) -> None:
    """One row of the first table is not compared, and one of the second failed."""
    (suite,) = [suite for suite in shown_board().sections[0].suites if suite.name == "issue-tracker"]
    (table,) = [table for table in suite.tables if table.name == name]
    golden(pformat(charts.chart_config(table), width=120, sort_dicts=False) + "\n")


@pytest.mark.parametrize("variants", [1, 3])
@pytest.mark.parametrize("rows", [1, 20, 60, 120])
def test_every_table_has_an_address_that_fits(rows: int, variants: int) -> None:
    config = charts.fitting_config(long_table(rows, variants))
    assert config
    assert len(charts.quickchart_url(config)) < 4000


def test_the_address_carries_the_config_unchanged() -> None:
    for table in tables(several=True):
        config = charts.chart_config(table)
        query = sent(charts.quickchart_url(config))
        assert json.loads(query["c"]) == config
        assert (query["v"], query["bkg"]) == ("4", "white")
        assert (int(query["w"]), int(query["h"])) == charts.chart_size(config)


def test_labels_survive_the_address_and_markdown() -> None:
    table = replace(long_table(1), title="C++ (100 % & more) #1")
    url = charts.quickchart_url(charts.chart_config(table))
    assert json.loads(sent(url)["c"])["options"]["plugins"]["title"]["text"] == table.title
    assert not set(url) & set("() +#<>\"'[]{}|`")


def test_an_address_that_is_too_long_is_refused() -> None:
    with pytest.raises(AssertionError, match="fitting_config"):
        charts.quickchart_url(charts.chart_config(long_table(120)))


def which(config: charts.Config) -> str:
    """What the chart says about the rows that it shows."""
    subtitle = config["options"]["plugins"]["subtitle"]
    return subtitle["text"] if subtitle["display"] else ""


@pytest.mark.parametrize(
    ("rows", "variants", "shown", "message"),
    [
        (12, 1, range(12), ""),
        (48, 3, range(0, 48, 3), "the best variant of each framework"),
        (120, 1, range(charts.MOST_BARS), "16 of 120 frameworks: the fastest"),
    ],
)
def test_a_chart_says_which_rows_it_shows(rows: int, variants: int, shown: Sequence[int], message: str) -> None:
    config = charts.fitting_config(long_table(rows, variants))
    assert config
    assert which(config) == message
    assert config["data"]["labels"] == [f"{row + 1}  Some framework {row // variants:03}" for row in shown]


def test_the_first_group_of_each_language_is_always_shown() -> None:
    """However slow: a reader of that language looks for it."""
    table = long_table(120)
    slowest = [replace(row, entry=invented(row.entry.name, row.title, "Rust")) for row in table.rows[-2:]]
    chains = [Chain("Python", [table.rows[:1]], []), Chain("Rust", [slowest], [])]
    config = charts.fitting_config(replace(table, rows=[*table.rows[:-2], *slowest], chains=chains))
    assert config
    assert [label.split()[-2] for label in config["data"]["labels"][-2:]] == ["118", "119"]
    assert "the first group of each language, then the fastest" in which(config)


def test_where_nothing_is_compared_bars_are_of_throughputs() -> None:
    rows = [replace(row, estimate=None, group=None) for row in long_table(2).rows]
    assert axis(charts.chart_config(replace(long_table(0), rows=rows)))[0] == "% of the first row's throughput"


@pytest.mark.parametrize("kind", [Kind.SINGLE, Kind.RANGE])
def test_what_is_no_95_percent_interval_is_not_drawn(kind: Kind) -> None:
    row = replace(long_row(0), share=Interval(0.8126, 0.80, 0.82, 3, kind))
    config = charts.chart_config(replace(long_table(0), rows=[row]))
    assert [dataset["data"] for dataset in config["data"]["datasets"]] == [[81.3]]
    assert axis(config) == ["% of the first row's speed (CPU time)", "number: group"]


def test_nothing_measured_draws_nothing() -> None:
    failed = replace(long_row(0), throughput=None, share=None, estimate=None, group=None, failure="did not start")
    assert charts.fitting_config(replace(long_table(0), rows=[failed])) is None


def test_a_framework_has_one_colour_in_all_charts_of_a_board() -> None:
    colours = charts.entry_colours(made_board())
    assert len(set(colours.values())) == len(colours) == 3
    for table in tables():
        drawn = bars(charts.chart_config(table, colours))["backgroundColor"]
        assert drawn == [colours[row.entry.id] if row.compared else charts.NOT_COMPARED for row in table.measured]


def test_every_label_has_room() -> None:
    for rows in (1, 20):
        height = charts.chart_size(charts.chart_config(long_table(rows)))[1]
        assert height >= 17 * rows + 100


def test_a_long_name_has_no_language_behind_it() -> None:
    names = {"Falcon (WSGI, Granian)": "Python", "Some framework 001": "Rust"}
    rows = [replace(long_row(i), entry=invented(f"{i}", *names)) for i, names in enumerate(names.items())]
    labels = charts.chart_config(replace(long_table(0), rows=rows))["data"]["labels"]
    assert labels == ["1  Falcon (WSGI, Granian)", "2  Some framework 001 (Rust)"]


def test_no_two_languages_look_more_alike_than_the_colours_that_were_made_to_differ() -> None:
    """The distance is that of CIELAB, as people with normal, deuteranopic and protanopic vision see it."""

    def nearest(colours: Sequence[str]) -> float:
        return min(seen_distance(one, other) for one, other in itertools.combinations(colours, 2))

    assert len(LANGUAGE_COLOURS) == 12
    assert LANGUAGE_COLOURS[:6] == charts.PALETTE
    assert nearest(LANGUAGE_COLOURS) == pytest.approx(nearest(charts.PALETTE))


NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
DEUTERANOPIC = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
PROTANOPIC = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
"""How colours are seen, as matrices for linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""

TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.95047, 1.0, 1.08883)


def seen_distance(one: str, other: str) -> float:
    """The distance of two colours in CIELAB, for those who see it smallest."""
    return min(
        math.dist(lab(linear(one), vision), lab(linear(other), vision)) for vision in (NORMAL, DEUTERANOPIC, PROTANOPIC)
    )


def linear(colour: str) -> list[float]:
    """The linear RGB of "#RRGGBB" (IEC 61966-2-1)."""
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def lab(rgb: Sequence[float], vision: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    seen = [min(1.0, max(0.0, value)) for value in times(vision, rgb)]
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
        for share in (value / white for value, white in zip(times(TO_XYZ, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
