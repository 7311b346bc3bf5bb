"""The types of the site's scripts."""

import subprocess

import pytest

from restbench.render.environment import SITE
from tests.browser.node import installed

pytestmark = [pytest.mark.slow, pytest.mark.needs("npm", "node"), pytest.mark.timeout(360)]


def test_the_scripts_have_the_types_that_they_say() -> None:
    options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2023", "--module", "es2022"]
    libraries = ["--lib", "es2023,dom,dom.iterable"]
    scripts = sorted(map(str, (SITE / "scripts").glob("*.js")))
    assert scripts
    ran = subprocess.run(
        ["node", installed() / "typescript/bin/tsc", *options, *libraries, *scripts],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == ""
    assert ran.returncode == 0
