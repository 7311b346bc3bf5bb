"""What a runtime runs with is asked of the app that runs. An app that is not in production mode breaks the contract."""

import json
from pathlib import Path

import pytest

from restbench.catalog import USUAL_SETUP, Catalog, Entry, load_catalog
from restbench.conformance import in_production
from restbench.errors import EntryError
from restbench.results.journal import Journal
from restbench.results.models import RuntimeSettings
from restbench.system.repository import find_repository
from restbench.targets import Settings
from restbench.targets.runtime_settings import ask
from tests.unit.fakes import CPUS, FakeTarget, World
from tests.unit.plans import plan_of, run

ENTRIES = load_catalog(find_repository()).entries
FALCON, NETHTTP, SYMFONY = (ENTRIES[name] for name in ("python/falcon", "go/nethttp", "php/symfony"))


def asked(world: World, entry: Entry) -> RuntimeSettings:
    return ask(FakeTarget(world, entry, Settings(CPUS.app, setup=USUAL_SETUP)), entry)


def test_settings_are_those_that_the_command_prints_and_the_variables_that_are_set() -> None:
    world = World(variables={"GOGC": "400", "PATH": "/bin"}, runs_with={"go/nethttp": '{"optimised": "yes"}'})
    assert asked(world, NETHTTP) == {"optimised": "yes", "GOGC": "400"}


def test_a_language_that_asks_nothing_has_no_settings() -> None:
    assert asked(World(), ENTRIES["reference/nginx"]) == {}


@pytest.mark.parametrize(
    ("output", "mistake"),
    [
        ("oops\n", "Invalid JSON: expected value at line 1 column 1 (it printed 'oops')"),
        ('{"dev mode": false}', "dev mode: Input should be a valid string (it printed "),
        (json.dumps({"options": "x" * 81}), "options: String should have at most 80 characters (it printed "),
        (json.dumps({f"{n}": "on" for n in range(21)}), "at most 20 items after validation, not more (it printed "),
    ],
)
def test_output_that_is_no_settings_is_reported_in_one_line(output: str, mistake: str) -> None:
    with pytest.raises(EntryError) as raised:
        asked(World(runs_with={"python/falcon": output}), FALCON)
    assert raised.value.message.startswith("python/language.toml: runtime_settings: its output is not as ")
    assert mistake in raised.value.message
    assert "\n" not in raised.value.message


def test_what_is_not_as_in_production_is_named_with_what_it_has_to_be() -> None:
    right = asked(World(), SYMFONY)
    assert in_production(SYMFONY, right).kept
    broken = in_production(SYMFONY, right | {"opcache": "off", "APP_ENV": "dev"}).broken
    assert broken
    assert broken.expected == "opcache on; APP_ENV prod or production, as php/language.toml has for production"
    assert broken.got == "opcache off; APP_ENV dev"
    forgotten = in_production(SYMFONY, {name: text for name, text in right.items() if name != "xdebug"}).broken
    assert forgotten
    assert forgotten.got == "xdebug not set"


def test_every_ranked_language_says_what_production_is() -> None:
    languages = {entry.language.name: entry.language.manifest for entry in ENTRIES.values()}
    silent = [name for name, each in languages.items() if each.ranked and not each.runtime_settings.production]
    assert silent == []


def test_an_app_in_development_mode_gets_no_load(catalog: Catalog, journal: Journal) -> None:
    world = World(runs_with={"python/starlette": '{"dev mode": "on", "asyncio debug": "on"}'})
    outcome, _ = run(plan_of(catalog, world), journal)
    assert not world.lines("wrk python/starlette ")
    ((entry, cell),) = outcome.failures
    expected = "dev mode off; asyncio debug off, as python/language.toml has for production"
    got = "dev mode on; asyncio debug on"
    assert entry == "python/starlette"
    assert str(cell.failure) == f"production: what the runtime runs with: expected {expected}, got {got}"


def test_settings_stand_in_the_result(catalog: Catalog, journal: Journal) -> None:
    printed = {"dev mode": "off", "asyncio debug": "off", "GIL": "on"}
    outcome, _ = run(plan_of(catalog, World(runs_with={"python/falcon": json.dumps(printed)})), journal)
    (settings,) = (r.runtime_settings for e in outcome.results if e.entry == "python/falcon" for r in e.runs.values())
    assert settings == printed


def test_an_app_that_cannot_be_asked_is_not_measured_as_verify_refuses_it_too(
    catalog: Catalog, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("restbench.conformance.checks.BETWEEN_TRIES_SECONDS", 0)
    outcome, _ = run(plan_of(catalog, World(runs_with={"python/starlette": "oops"})), journal)
    ((entry, cell),) = outcome.failures
    assert (entry, cell.failure.check if cell.failure else "") == ("python/starlette", "production")
    assert "python/language.toml: runtime_settings: its output is not as " in str(cell.failure)


def test_options_of_python_are_those_before_its_script() -> None:
    script = Path(find_repository().frameworks / "python/runtime_settings.py")
    namespace: dict[str, object] = {"__name__": "asked"}
    exec(compile(script.read_text(), script, "exec"), namespace)  # noqa: S102 - it is ours
    options = namespace["options"]
    assert callable(options)
    assert options(["python", "-X", "dev", "-O", "gunicorn", "--reload", "-W"]) == ["-X", "dev", "-O"]
    assert options(["python", "-m", "granian", "-X", "dev"]) == []
