"""Runs in a locale that is not UTF-8."""

from pathlib import Path

import pytest

from tests.end_to_end.made import made_repository, restbench
from tests.made.locales import latin1

pytestmark = [pytest.mark.slow, pytest.mark.needs("wrk")]


def test_names_are_verified_and_measured_in_a_locale_that_is_not_utf_8(tmp_path: Path) -> None:
    repository = made_repository(tmp_path / "prüfstand", "good")
    manifest = repository.frameworks / "test/good/framework.toml"
    manifest.write_bytes(manifest.read_bytes().replace(b'title = "good"', 'title = "BáiZé → 本"'.encode()))
    app = repository.frameworks / "test/good/app.py"
    asks = "import os, sys\nassert (os.environ['LC_ALL'], sys.stdout.encoding) == ('C.UTF-8', 'utf-8')\n"
    app.write_bytes(asks.encode() + app.read_bytes())
    locale = latin1(tmp_path)
    ran = restbench(repository, "verify", "test/good", "--target=native", env=locale)
    assert (ran.code, "15 checks kept, 0 broken" in ran.out) == (0, True), ran
    assert "✓ alive" in ran.out
    out = tmp_path / "läufe"
    words = ("bench", "test/good", "--suite=hello", "--profile=smoke", "--target=native", f"--out={out}")
    ran = restbench(repository, *words, env=locale)
    assert ran.has_measured, ran
    assert str(out) in ran.out
    assert "BáiZé → 本" in (out / "report.html").read_bytes().decode()
