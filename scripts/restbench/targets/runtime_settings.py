"""What the runtime of a running app runs with, such as its garbage collector, and whether that is production.

Nobody types it in: the app's own process is asked, as `runtime_settings` in language.toml says.
"""

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from restbench.catalog import Entry
from restbench.results.models import RuntimeSettings
from restbench.targets.interface import Target, misprinted

_PRINTED = TypeAdapter(RuntimeSettings)


def ask(target: Target, entry: Entry) -> RuntimeSettings:
    """Asks a running app. Returns setting → text. It is empty where language.toml has nothing to ask.

    The command has the environment of the app's first process, which a start script may have changed. Raises
    EntryError where it fails, or prints no settings.
    """
    asked = entry.language.manifest.runtime_settings
    if not (asked.command or asked.variables):
        return {}
    lines = target.run_beside(["cat", "/proc/{pid}/environ"]).split("\0")
    variables = dict(line.split("=", 1) for line in lines if "=" in line)
    output = target.run_beside(asked.command, variables) if asked.command else "{}"
    try:
        printed = _PRINTED.validate_json(output, strict=True)
        return _PRINTED.validate_python(
            printed | {name: variables[name] for name in asked.variables if variables.get(name)}
        )
    except ValidationError as error:
        raise misprinted(entry, "runtime_settings", output, error) from error


def in_words(settings: Mapping[str, str]) -> str:
    """The settings as one text; empty where there are none."""
    return ", ".join(f"{name} {text}" for name, text in settings.items())


def not_in_production(entry: Entry, settings: Mapping[str, str]) -> dict[str, list[str]]:
    """Returns the settings that are not as in production → what they may be."""
    wanted = entry.language.manifest.runtime_settings.production
    return {name: texts for name, texts in wanted.items() if settings.get(name) not in texts}
