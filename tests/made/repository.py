"""Writes made repositories: languages and entries, each of a kind that its fields name. Suites are the real ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from restbench.catalog.packages import FILE as PACKAGES
from restbench.system.repository import Repository, find_repository

PACKAGES_OF = {"python": "pypi:", "rust": "crates:", "java": "maven:org.example:"}
"""What a package's name in a manifest begins with."""

REFERENCE = {
    "reference/language.toml": """
        title = "Reference"
        registry = "debian"
        ranked = false
        [native]
        start = ["{entry}/start"]
        """,
    "reference/nginx/framework.toml": """
        title = "nginx"
        package = "debian:nginx-light"
        homepage = "https://example.org"
        documentation = ["https://example.org/docs"]
        source = "https://example.org"
        interface = "native"
        [suites]
        hello = true
        """,
}


@dataclass(frozen=True)
class MadeLanguage:
    """`manifest` is its language.toml, `lock` the name and the content of an entry's lock file.

    Its packages are those of the language `like`.
    """

    manifest: str
    lock: tuple[str, str]
    like: str


@dataclass(frozen=True)
class MadeEntry:
    """`suites` are the lines of its manifest about suites, `more` are further ones.

    `variants` are those of the issue tracker. It has the last of them in `workload` and in `solr`, too.
    """

    title: str
    suites: str
    variants: tuple[str, ...] = ("raw",)
    interface: str = "asgi"
    code_from: str = ""
    more: str = ""

    @property
    def manifest_lines(self) -> str:
        """What its manifest says of suites, with the variants filled in."""
        last = self.variants[-1] if len(self.variants) > 1 else "pydantic"
        two = dict.fromkeys(["raw", self.variants[-1]])
        named = {"{variants}": self.variants, "{two}": list(two), "{typed}": [last]}
        lines = self.suites
        for place, variants in named.items():
            lines = lines.replace(place, json.dumps(variants))
        return lines


def write_repository(
    root: Path, languages: Mapping[str, MadeLanguage], entries: Mapping[str, MadeEntry], selections: str
) -> Repository:
    """Writes them below `root`. The names of entries are <language>/<folder>."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "fixtures").symlink_to(find_repository().fixtures)
    files = {"selections.toml": selections, **REFERENCE}
    for name, language in languages.items():
        files[f"{name}/language.toml"] = language.manifest
        files[f"{name}/Dockerfile"] = "FROM scratch\n"
        files[f"{name}/build"] = "#!/bin/sh\n"
        files[f"{name}/{PACKAGES}"] = (find_repository().frameworks / language.like / PACKAGES).read_text()
    for name, entry in entries.items():
        language, folder = languages[name.partition("/")[0]], Path(name).name
        file, content = language.lock
        files[f"{name}/{file}"] = content.replace("{name}", entry.code_from or folder)
        files[f"{name}/framework.toml"] = _manifest(language, entry.code_from or folder, entry)
        if not entry.code_from:
            files[f"{name}/app.py"] = "app = None\n"
    for name, content in files.items():
        path = root / "frameworks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755 if path.name == "build" else 0o644)
    return Repository(root)


def _manifest(language: MadeLanguage, package: str, entry: MadeEntry) -> str:
    server = 'server = "gunicorn+uvicorn"\napp = "app:app"' if language.like == "python" else ""
    code_from = f'code_from = "{entry.code_from}"' if entry.code_from else ""
    return f"""
        title = "{entry.title}"
        package = "{PACKAGES_OF[language.like]}{package}"
        homepage = "https://example.org"
        documentation = ["https://example.org/docs"]
        source = "https://example.org"
        interface = "{entry.interface}"
        {server}
        {code_from}
        {entry.more}
        [suites]
        {entry.manifest_lines}
        """
