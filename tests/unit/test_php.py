"""The code of entries in PHP can be parsed, even where packages cannot be had, and locks fit composer.json."""

import subprocess
from pathlib import Path

import pytest

from restbench.system.repository import find_repository

PHP = find_repository().root / "frameworks" / "php"
ENTRIES = sorted(path.parent for path in PHP.glob("*/composer.json"))


@pytest.mark.needs("php")
def test_every_file_can_be_parsed() -> None:
    files = [*sorted(PHP.rglob("*.php")), PHP / "facts", *PHP.glob("*/bin/console"), PHP / "laravel" / "artisan"]
    ran = [subprocess.run(["php", "-l", str(file)], capture_output=True, text=True, check=False) for file in files]
    assert not [one.stdout + one.stderr for one in ran if one.returncode]


@pytest.mark.needs("composer")
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_lock_is_that_of_its_composer_json(entry: Path) -> None:
    command = ["composer", "validate", "--no-interaction", "--no-check-publish", "--no-check-all"]
    ran = subprocess.run([*command, "--working-dir", str(entry)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
