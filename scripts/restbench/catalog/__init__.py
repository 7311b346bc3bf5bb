"""Manifests and fixtures as typed objects. Each mistake in them gives one message."""

from restbench.catalog.entry import Cell, CellKey, Entry, Language, Suite
from restbench.catalog.load import Catalog, load_catalog
from restbench.catalog.manifests import (
    USUAL_SETUP,
    Command,
    FrameworkManifest,
    LanguageManifest,
    Scenario,
    Setup,
    SuiteManifest,
)

__all__ = [
    "USUAL_SETUP",
    "Catalog",
    "Cell",
    "CellKey",
    "Command",
    "Entry",
    "FrameworkManifest",
    "Language",
    "LanguageManifest",
    "Scenario",
    "Setup",
    "Suite",
    "SuiteManifest",
    "load_catalog",
]
