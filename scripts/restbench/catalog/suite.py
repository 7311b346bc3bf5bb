"""A suite with its fixtures."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from restbench.catalog.manifests import Scenario, SuiteManifest


@dataclass(frozen=True)
class Suite:
    """A set of scenarios with one purpose."""

    name: str
    folder: Path
    manifest: SuiteManifest

    @property
    def title(self) -> str:
        return self.manifest.title

    @property
    def scenarios(self) -> list[Scenario]:
        return self.manifest.scenario

    @property
    def may_lack(self) -> list[str]:
        """The features that an entry may list in `lacks`, because its framework cannot have them."""
        return [feature for scenario in self.scenarios for feature in scenario.may_lack]

    @property
    def features(self) -> list[str]:
        """The names of all feature checks of this suite."""
        return [feature for scenario in self.scenarios for feature in scenario.features]

    def has_schema(self, variant: str | None) -> bool:
        """Whether a variant validates bodies against declared types, and builds answers from them."""
        return variant is not None and variant not in self.manifest.without_schema

    def scenario(self, name: str) -> Scenario:
        return next(s for s in self.scenarios if s.name == name)

    @cached_property
    def _documents(self) -> dict[str, Any]:
        return {path.name: json.loads(path.read_bytes()) for path in self.folder.glob("*.json")}

    def document(self, name: str) -> Any:
        """The parsed JSON file of that name next to suite.toml. Callers share it and must not change it."""
        return self._documents[name]

    def body(self, scenario: Scenario) -> bytes | None:
        """The compact JSON that is sent under load, or None for a request without a body."""
        if scenario.body is None:
            return None
        return json.dumps(self.document(scenario.body), ensure_ascii=False, separators=(",", ":")).encode()
