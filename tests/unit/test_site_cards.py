"""The pictures that other sites show beside a shared link."""

import io
from dataclasses import replace

from PIL import Image

from restbench.board.rows import Table
from restbench.site.cards import HEIGHT, OWN, WIDTH, card_of
from tests.unit.records import beside, own_baseline
from tests.unit.small import small_board

LARGEST = 5_000_000 / 250
"""Bytes of a picture, so that those of 250 suites and frameworks take 5 MB."""


def hello() -> Table:
    board = small_board(falcon=own_baseline(), starlette=beside(1.02), fastapi=beside(2.0))
    return board.sections[0].suites[0].tables[0]


def colours(card: bytes) -> set[tuple[int, ...]]:
    image = Image.open(io.BytesIO(card)).convert("RGB")
    return {colour for _, colour in image.getcolors(WIDTH * HEIGHT) or [] if isinstance(colour, tuple)}


def has(card: bytes, colour: str) -> bool:
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return any(all(abs(a - b) < 24 for a, b in zip(found, wanted, strict=True)) for found in colours(card))


def test_it_has_the_size_that_sites_recommend_and_is_small() -> None:
    card = card_of("FastAPI", hello(), "python/fastapi")
    assert Image.open(io.BytesIO(card)).size == (1200, 630)
    assert len(card) < LARGEST
    assert card == card_of("FastAPI", hello(), "python/fastapi")


def test_the_framework_is_in_colour_in_the_chain_of_its_language() -> None:
    assert has(card_of("FastAPI", hello(), "python/fastapi"), OWN)
    assert not has(card_of("Python", hello()), OWN)


def test_long_names_long_chains_and_no_results_fit() -> None:
    table = hello()
    (chain,) = table.chains
    row = replace(chain.groups[0][0], title="مرحبا " + "w" * 60)
    many = replace(table, chains=[replace(chain, groups=[[row] * 10] * 20, language="L" * 40)] * 12)
    for found in (many, None):
        assert len(card_of("T" * 80, found)) < 4 * LARGEST
