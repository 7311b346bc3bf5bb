"""A small catalogue for tests of how the harness works: what it says of no framework can break them.

Suites and contract are the real ones. Names, packages and versions are made, and stand for kinds of entries: of each
interface, with and without schemas, with everything in all suites and with little.
"""

import atexit
import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from restbench.board import Board, build_board
from restbench.catalog import Catalog, load_catalog
from restbench.catalog.packages import FILE as PACKAGES
from restbench.results.models import CellResult
from restbench.system.repository import Repository, find_repository
from tests.unit.records import an_entry

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies>
<dependency><groupId>org.example</groupId><artifactId>{name}</artifactId><version>1.2.3</version></dependency>
</dependencies></project>
"""

SOLR = 'solr = { variants = {typed}, openapi = "/openapi.json", by_hand = [] }'


@dataclass(frozen=True)
class _Language:
    """`manifest` is its language.toml, `lock` the name and the content of an entry's lock file."""

    manifest: str
    lock: tuple[str, str]


_LANGUAGES = {
    "python": _Language(
        """
        title = "Python"
        registry = "pypi"
        baseline = "falcon"
        bcrypt = "crate bcrypt"
        app_file = "{module}.py"
        code = ["*.py"]
        facts = ["{env}/bin/python", "{language}/facts.py", "{package}"]
        [toolchain]
        python = ">=3.11"
        [native]
        build = [["{uv}", "venv", "--python", "{python}", "{env}"]]
        inputs = ["requirements.txt"]
        lock = "requirements.txt"
        start = ["{env}/bin/python", "{language}/serve.py", "{entry}", "{code}"]
        [servers]
        "gunicorn+uvicorn" = ["gunicorn", "--workers={workers}", "--bind=0.0.0.0:{port}", "{app}"]
        """,
        ("requirements.txt", "{name}==1.2.3 --hash=sha256:0\n"),
    ),
    "rust": _Language(
        """
        title = "Rust"
        registry = "crates"
        baseline = "axum"
        bcrypt = "crate bcrypt"
        code = ["src/*.rs"]
        facts = ["cat", "{env}/facts.json"]
        [toolchain]
        commands = { cargo = { debian = "cargo-web", otherwise = "by https://rustup.rs", at_least = "1.89" } }
        [native]
        build = [["{language}/build", "{entry}", "{env}", "{cache}"]]
        inputs = ["Cargo.lock"]
        lock = "Cargo.lock"
        start = ["{env}/app"]
        """,
        ("Cargo.lock", '[[package]]\nname = "{name}"\nversion = "1.2.3"\n'),
    ),
    "java": _Language(
        """
        title = "Java"
        registry = "maven"
        compiles_at_run_time = true
        code = ["src/*.java"]
        facts = ["cat", "{env}/facts.json"]
        [toolchain.commands]
        java = { debian = "default-jre-headless" }
        mvn = { debian = "maven" }
        [native]
        build = [["{language}/build", "{entry}", "{env}", "{cache}"]]
        inputs = ["pom.xml"]
        lock = "pom.xml"
        start = ["java", "-jar", "{env}/app.jar"]
        """,
        ("pom.xml", POM),
    ),
}

WITHOUT_SOLR = "hello = true\nissue-tracker = {variants}\nworkload = {two}"
ALL = f"{WITHOUT_SOLR}\n{SOLR}"
LITTLE = "hello = true\nissue-tracker = {variants}"


@dataclass(frozen=True)
class _Entry:
    """`variants` are those of the issue tracker. It has the last of them in `workload` and in `solr`, too."""

    title: str
    suites: str
    variants: tuple[str, ...] = ("raw",)
    interface: str = "asgi"
    code_from: str = ""

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


_PACKAGES = {"python": "pypi:", "rust": "crates:", "java": "maven:org.example:"}
"""What a package's name in a manifest begins with."""


_ENTRIES = {
    "python/aiohttp": _Entry("aiohttp", ALL),
    "python/bottle": _Entry("Bottle", WITHOUT_SOLR, interface="wsgi"),
    "python/falcon": _Entry("Falcon", ALL, ("raw", "msgspec")),
    "python/fastapi": _Entry("FastAPI", ALL.replace("[]", '["repeated"]'), ("raw", "dataclasses", "pydantic")),
    "python/flask": _Entry("Flask", WITHOUT_SOLR, interface="wsgi"),
    "python/flask-twice": _Entry("Flask, twice", WITHOUT_SOLR, interface="wsgi", code_from="flask"),
    "python/litestar": _Entry("Litestar", ALL, ("raw", "dataclasses", "msgspec", "pydantic")),
    "python/quart": _Entry("Quart", LITTLE),
    "python/sanic": _Entry("Sanic", ALL, ("raw", "pydantic")),
    "python/starlette": _Entry("Starlette", WITHOUT_SOLR),
    "python/tornado": _Entry("Tornado", LITTLE),
    "rust/axum": _Entry("axum", ALL, ("raw", "typed"), interface="native"),
    "rust/rocket": _Entry("Rocket", LITTLE, ("raw", "typed"), interface="native"),
    "java/jooby": _Entry("Jooby", WITHOUT_SOLR, ("raw", "typed"), interface="native"),
}


_FILES = {
    "selections.toml": """
        default = ["python/falcon", "python/fastapi", "python/starlette"]
        sample = ["python/falcon", "rust/axum"]
        """,
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
        source = "https://example.org"
        interface = "native"
        [suites]
        hello = true
        """,
}


@cache
def small_repository() -> Repository:
    """Made once, and removed when the tests have ended."""
    root = Path(tempfile.mkdtemp(prefix="restbench-small-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    (root / "fixtures").symlink_to(find_repository().fixtures)
    for name, content in {**_FILES, **_made()}.items():
        path = root / "frameworks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755 if path.name == "build" else 0o644)
    for name in _LANGUAGES:
        shutil.copy(find_repository().frameworks / name / PACKAGES, root / "frameworks" / name)
    return Repository(root)


@cache
def small_catalog() -> Catalog:
    catalog = load_catalog(small_repository())
    assert catalog.mistakes == {}
    return catalog


def small_board(**cells: CellResult | list[CellResult]) -> Board:
    """Cells of entries, which are Python's unless their names have a language before __."""
    results = []
    for name, own in cells.items():
        entry = name.replace("__", "/") if "__" in name else f"python/{name}"
        results.append(an_entry(entry, cells=own if isinstance(own, list) else [own]))
    return build_board(small_catalog(), results)


def _made() -> dict[str, str]:
    files = {}
    for name, made in _LANGUAGES.items():
        files[f"{name}/language.toml"] = made.manifest
        files[f"{name}/Dockerfile"] = "FROM scratch\n"
        files[f"{name}/build"] = "#!/bin/sh\n"
    for name, entry in _ENTRIES.items():
        language, _, folder = name.partition("/")
        package = entry.code_from or folder
        file, content = _LANGUAGES[language].lock
        files[f"{name}/{file}"] = content.replace("{name}", package)
        files[f"{name}/framework.toml"] = _manifest(language, package, entry)
        if not entry.code_from:
            files[f"{name}/app.py"] = "app = None\n"
    return files


def _manifest(language: str, package: str, entry: _Entry) -> str:
    server = 'server = "gunicorn+uvicorn"\napp = "app:app"' if language == "python" else ""
    code_from = f'code_from = "{entry.code_from}"' if entry.code_from else ""
    return f"""
        title = "{entry.title}"
        package = "{_PACKAGES[language]}{package}"
        homepage = "https://example.org"
        source = "https://example.org"
        interface = "{entry.interface}"
        {server}
        {code_from}
        [suites]
        {entry.manifest_lines}
        """
