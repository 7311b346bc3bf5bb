"""A small catalogue for tests of how the harness works: what it says of no framework can break them.

Suites and contract are the real ones. Names, packages and versions are made, and stand for kinds of entries: of each
interface, with and without schemas, with everything in all suites and with little.
"""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from restbench.board import Board, Row, Table, build_board
from restbench.catalog import Catalog, load_catalog
from restbench.results.models import CellResult
from restbench.system.repository import Repository
from tests.made.records import an_entry
from tests.made.repository import MadeEntry, MadeLanguage, write_repository

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies>
<dependency><groupId>org.example</groupId><artifactId>{name}</artifactId><version>1.2.3</version></dependency>
</dependencies></project>
"""

SOLR = 'solr = { variants = {typed}, openapi = "/openapi.json", by_hand = [] }'


LANGUAGES = {
    "python": MadeLanguage(
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
        [runtime_settings]
        command = ["{env}/bin/python", "{language}/runtime_settings.py", "{pid}"]
        production = { "dev mode" = ["off"], "asyncio debug" = ["off"] }
        [servers]
        "gunicorn+uvicorn" = ["gunicorn", "--workers={workers}", "--bind=0.0.0.0:{port}", "{app}"]
        """,
        ("requirements.txt", "{name}==1.2.3 --hash=sha256:0\n"),
        "python",
    ),
    "rust": MadeLanguage(
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
        "rust",
    ),
    "java": MadeLanguage(
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
        "java",
    ),
}

WITHOUT_SOLR = "hello = true\nissue-tracker = {variants}\nworkload = {two}"
ALL = f"{WITHOUT_SOLR}\n{SOLR}"
LITTLE = "hello = true\nissue-tracker = {variants}"


_ENTRIES = {
    "python/aiohttp": MadeEntry("aiohttp", ALL),
    "python/bottle": MadeEntry("Bottle", WITHOUT_SOLR, interface="wsgi"),
    "python/falcon": MadeEntry("Falcon", ALL, ("raw", "msgspec")),
    "python/fastapi": MadeEntry("FastAPI", ALL.replace("[]", '["repeated"]'), ("raw", "dataclasses", "pydantic")),
    "python/flask": MadeEntry("Flask", WITHOUT_SOLR, interface="wsgi"),
    "python/flask-twice": MadeEntry("Flask, twice", WITHOUT_SOLR, interface="wsgi", code_from="flask"),
    "python/litestar": MadeEntry("Litestar", ALL, ("raw", "dataclasses", "msgspec", "pydantic")),
    "python/quart": MadeEntry("Quart", LITTLE),
    "python/sanic": MadeEntry("Sanic", ALL, ("raw", "pydantic")),
    "python/starlette": MadeEntry("Starlette", WITHOUT_SOLR),
    "python/tornado": MadeEntry("Tornado", LITTLE),
    "rust/axum": MadeEntry("axum", ALL, ("raw", "typed"), interface="native"),
    "rust/rocket": MadeEntry("Rocket", LITTLE, ("raw", "typed"), interface="native"),
    "java/jooby": MadeEntry("Jooby", WITHOUT_SOLR, ("raw", "typed"), interface="native"),
}

_SELECTIONS = """
default = ["python/falcon", "python/fastapi", "python/starlette"]
sample = ["python/falcon", "rust/axum"]
"""


@cache
def small_repository() -> Repository:
    """Made once, and removed when the tests have ended."""
    root = Path(tempfile.mkdtemp(prefix="restbench-small-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return write_repository(root, LANGUAGES, _ENTRIES, _SELECTIONS)


@cache
def small_catalog() -> Catalog:
    catalog = load_catalog(small_repository())
    assert catalog.mistakes == {}
    return catalog


def small_board(catalog: Catalog | None = None, /, **cells: CellResult | list[CellResult]) -> Board:
    """Cells of entries, which are Python's unless their names have a language before __. `catalog`: the small one."""
    results = []
    for name, own in cells.items():
        entry = name.replace("__", "/") if "__" in name else f"python/{name}"
        results.append(an_entry(entry, cells=own if isinstance(own, list) else [own]))
    return build_board(catalog or small_catalog(), results)


def table(**cells: CellResult) -> Table:
    """The table of Hello World."""
    return small_board(**cells).sections[0].suites[0].tables[0]


def hello(**cells: CellResult) -> dict[str, Row]:
    """The rows of Hello World by title."""
    return {row.title: row for row in table(**cells).rows}
