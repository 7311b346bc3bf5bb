"""Chart configs and their QuickChart addresses."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from restbench import charts
from restbench.board import Table
from restbench.results.models import Limit
from restbench.stats import Estimate
from tests.unit.boards import long_row, long_table, made_board


def sent(url: str) -> dict[str, str]:
    """The query as a server reads it."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query, strict_parsing=True).items()}


def tables() -> list[Table]:
    return [table for section in made_board().sections for suite in section.suites for table in suite.tables]


def medians(config: charts.Config) -> dict[str, Any]:
    dataset: dict[str, Any] = config["data"]["datasets"][-1]
    return dataset


@pytest.mark.parametrize("variants", [1, 3])
@pytest.mark.parametrize("rows", [1, 20, 60, 120])
def test_every_table_has_an_address_that_fits(rows: int, variants: int) -> None:
    config = charts.fitting_config(long_table(rows, variants))
    assert config
    assert len(charts.quickchart_url(config)) < 4000


def test_the_address_carries_the_config_unchanged() -> None:
    for table in tables():
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


def test_small_tables_are_shown_whole() -> None:
    table = long_table(20)
    assert charts.fitting_config(table) == charts.chart_config(table)


def test_a_table_that_does_not_fit_keeps_the_best_variant_of_each_framework_and_says_so() -> None:
    config = charts.fitting_config(long_table(60, variants=3))
    assert config
    assert config["options"]["plugins"]["title"]["text"] == "Create a task: best variant of each framework"
    assert config["data"]["labels"] == [f"Some framework {i:03} · raw" for i in range(20)]


def test_then_the_first_rows_are_kept_and_counted() -> None:
    config = charts.fitting_config(long_table(120))
    assert config
    shown = config["data"]["labels"]
    assert shown == [f"Some framework {i:03}" for i in range(len(shown))]
    assert config["options"]["plugins"]["title"]["text"] == f"Create a task: first {len(shown)} of 120"
    assert len(shown) > 30


def test_no_dataset_or_bar_lacks_a_label() -> None:
    for table in tables():
        config = charts.chart_config(table)
        count = len(config["data"]["labels"])
        assert all(config["data"]["labels"])
        assert all(dataset["label"] for dataset in config["data"]["datasets"])
        assert {len(dataset["data"]) for dataset in config["data"]["datasets"]} == {count}
        assert len(medians(config)["backgroundColor"]) == count
        assert config["options"]["scales"]["y"]["ticks"]["autoSkip"] is False


def test_intervals_come_first_so_that_they_are_drawn_over_the_bars() -> None:
    interval, bars = charts.chart_config(long_table(2))["data"]["datasets"]
    assert interval["data"][0] == [15680, 16240]
    assert bars["data"][0] == 16000
    assert interval["grouped"] is bars["grouped"] is False


def test_one_round_draws_no_interval() -> None:
    row = replace(long_row(0), throughput=Estimate(81.26, 81.26, 81.26, 81.26, 0.0, 1))
    config = charts.chart_config(replace(long_table(0), rows=[row]))
    assert [dataset["data"] for dataset in config["data"]["datasets"]] == [[81.3]]
    assert config["options"]["scales"]["x"]["title"]["text"] == ["requests per second"]


def test_reference_and_failures_are_not_drawn() -> None:
    shown = {table.name: charts.chart_config(table)["data"]["labels"] for table in tables()}
    assert shown["hello_world"] == ["Falcon", "Starlette", "FastAPI"]
    assert "FastAPI · pydantic" not in shown["create-task-schema"]


def test_what_is_not_ranked_is_grey_and_explained() -> None:
    config = charts.chart_config(next(table for table in tables() if table.name == "userinfo-raw"))
    assert config["data"]["labels"][-1] == "Starlette · raw"
    assert medians(config)["backgroundColor"][-1] == charts.UNRANKED
    assert config["options"]["scales"]["x"]["title"]["text"][-1] == "grey: not ranked"


def test_nothing_measured_draws_nothing() -> None:
    failed = replace(long_row(0), throughput=None, rank=None, failure="did not start")
    reference = replace(long_row(1), reference=True, rank=None, limit=Limit.APP)
    assert charts.fitting_config(replace(long_table(0), rows=[reference, failed])) is None


def test_a_framework_has_one_colour_in_all_charts_of_a_board() -> None:
    colours = charts.entry_colours(made_board())
    assert len(set(colours.values())) == len(colours) == 3
    for table in tables():
        bars = medians(charts.chart_config(table, colours))["backgroundColor"]
        expected = [row.rank and colours[row.entry] for row in table.measured if not row.reference]
        assert bars == [colour or charts.UNRANKED for colour in expected]


def test_every_label_has_room() -> None:
    for rows in (1, 20):
        height = charts.chart_size(charts.chart_config(long_table(rows)))[1]
        assert height >= 28 * rows + 100


def test_where_a_board_has_several_languages_colours_and_labels_tell_them_apart() -> None:
    rows = [replace(long_row(i), language="Rust" if i % 2 else "Python") for i in range(4)]
    config = charts.chart_config(Table("hello", "Hello", "GET /", rows))
    first, second, third, _ = medians(config)["backgroundColor"]
    assert first == third != second
    assert config["data"]["labels"][:2] == ["Some framework 000 (Python)", "Some framework 001 (Rust)"]
    assert "colour: language" in config["options"]["scales"]["x"]["title"]["text"]
