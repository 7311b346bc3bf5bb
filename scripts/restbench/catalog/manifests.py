"""The three TOML files as they are written. JSON Schemas for editors are exported from these models."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, Tag, model_validator

Argv = Annotated[list[str], Field(min_length=1)]
Url = Annotated[str, Field(pattern=r"^https?://\S+$")]


class Manifest(BaseModel):
    """What all manifests share: nothing unknown is accepted, nothing changes after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Setup:
    """A way to start an app. `workers` None: one per CPU of the app."""

    workers: int | None = None
    environment: tuple[tuple[str, str], ...] = ()


USUAL_SETUP = Setup()

RAW = "raw"
"""The variant without a schema: the language's plain JSON types in and out."""


class Batch(Manifest):
    """A fixed number of requests, sent by some clients one after the other: what is measured is how long all take."""

    clients: int = Field(ge=1)
    requests: int = Field(ge=1, description="of all clients together")


class Scenario(Manifest):
    """One request shape of a suite with its contract, and under which conditions it is measured."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    title: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str = Field(pattern=r"^/", description="may hold {variant}, and {id}, an integer fresh in every request")
    body: str | None = Field(None, description="the file beside suite.toml that is sent under load")
    status: int = Field(ge=200, le=299)
    content_type: str | None = Field(None, description="absent where the answer has no body")
    source_fetches: int = Field(0, ge=0, description="visits to the emulated data source per request")
    waits_ms: float = Field(0, ge=0, description="that the contract makes each request wait, without using a CPU")
    computes: Literal["bcrypt"] | None = Field(None, description="work of each request whose cost is measured alone")
    loaded: bool = Field(True, description="false: verified by conformance, not measured")
    graded: list[str] = Field([], description="marks that an answer gets, each had or not, in place of a figure")
    may_lack: list[str] = Field([], description="those of the marks that an entry may say its framework cannot have")
    connections: int | None = Field(None, ge=1, description="in place of the profile's; slow apps get fewer")
    rate: int | None = Field(None, ge=1, description="requests per second at which all apps' latencies are compared")
    batch: Batch | None = Field(None, description="measured as a batch, in place of a time under load")
    workers: int | None = Field(None, ge=1, description="in place of one per CPU of the app")
    environment: dict[str, str] = Field({}, description="variables the app is started with, beside the usual")
    link_delay_ms: float = Field(0, ge=0, description="delay of the link between clients and app, each way")
    column: str | None = Field(None, description="shown as this column of one table of all scenarios with that title")

    @property
    def setup(self) -> "Setup":
        """How the app has to be started for this scenario."""
        return Setup(self.workers, tuple(sorted(self.environment.items())))


class SuiteManifest(Manifest):
    """fixtures/<suite>/suite.toml"""

    title: str
    about: str
    variants: list[str] = Field([], description="the variants an entry may list; empty: the suite has none")
    needs: list[str] = Field([], description="files beside suite.toml that apps read at start")
    backend: Literal["solr"] | None = Field(None, description="what has to run beside the app")
    scenario: list[Scenario] = Field(min_length=1)


class Command(Manifest):
    """A command that has to be on a machine, and how it gets there."""

    debian: str | None = Field(None, description="the Debian packages that bring it, with a space between two")
    otherwise: str | None = Field(
        None, description='another way to get it, as the end of "install it", such as "by https://rustup.rs"'
    )
    at_least: str | None = Field(None, pattern=r"^\d+(\.\d+)*$", description="the oldest version that does")
    version: str = Field("--version", description="the argument with which it prints its version")

    @model_validator(mode="after")
    def _can_be_had(self) -> Self:
        if not (self.debian or self.otherwise):
            raise ValueError("name the Debian packages that bring it (debian), or say how else to get it (otherwise)")
        return self


class Toolchain(Manifest):
    """What has to be on a machine to run a language's entries natively."""

    python: str | None = Field(None, description='versions of Python that fit, such as ">=3.11"')
    commands: dict[str, Command] = Field({}, description="command → how to get it")
    packages: list[str] = Field([], description="Debian packages that entries are built with, in any version")
    release: str | None = Field(
        None, description='codename of the Debian release that entries\' packages.txt are of, such as "bookworm"'
    )


class Native(Manifest):
    """How entries are built and started on this machine. Words in {braces} are replaced:
    {entry} and {language} are folders, {env} is the entry's own environment, which receives what is built,
    {cache} a folder that all builds of the language share, {python} the interpreter found, {uv} the uv that restbench
    runs with, {package} the name of the framework's package."""

    build: list[Argv] = []
    inputs: list[str] = Field([], description="patterns of the entry's files that the environment depends on")
    shared_inputs: list[str] = Field([], description="the same of the language's files")
    lock: str | None = Field(None, description="the lock file in which `package` is looked up")
    start: Argv


class LanguageManifest(Manifest):
    """frameworks/<language>/language.toml"""

    title: str
    ranked: bool = Field(True, description="false: measured beside the others, never ranked")
    baseline: str | None = Field(
        None, description="the entry that the others are measured against in duet rounds; the comment says why it"
    )
    compiles_at_run_time: bool = Field(
        False, description="true: apps are warmed up until their cost per request stops falling"
    )
    bcrypt: str | None = Field(None, description="the library that entries hash with, such as the crate they build on")
    toolchain: Toolchain = Toolchain()
    native: Native
    app_file: str | None = Field(None, description='the file that an app "module:name" lives in, as "{module}.py"')
    code: list[str] = Field([], description='patterns of the files that are an entry\'s own code, such as "*.py"')
    registry: str = Field(
        pattern=r"^[a-z]+$", description="where packages come from, such as pypi; each entry's `package` begins so"
    )
    facts: Argv | None = Field(
        None, description="prints licence, number of packages and runtime as JSON; words as in `native`"
    )
    servers: dict[str, Argv] = Field({}, description="server → its command, for framework.toml to choose from")


class Documented(Manifest):
    """How an entry takes part in a suite that grades its documentation."""

    openapi: str | None = Field(
        None, pattern=r"^/", description="the path of the OpenAPI document; absent where the framework makes none"
    )
    by_hand: list[str] = Field([], description="marks that the framework does not make from annotated code")
    lacks: list[str] = Field([], description="marks that the framework gives no way to have, if the suite allows it")


PARTS = {bool: "(switch)", list: "(variants)", dict: "(table)", Documented: "(table)"}
"""Type of what stands after a suite's name → the tag of that way to take part, which no message shows."""


def _part(value: Any) -> str | None:
    return PARTS.get(type(value))


Part = Annotated[
    Annotated[StrictBool, Tag("(switch)")]
    | Annotated[list[str], Tag("(variants)")]
    | Annotated[Documented, Tag("(table)")],
    Discriminator(
        _part,
        custom_error_type="part",
        custom_error_message='write true, the list of its variants, or { openapi = "/openapi.json" }',
    ),
]
"""How an entry takes part in a suite."""


class FrameworkManifest(Manifest):
    """frameworks/<language>/<framework>/framework.toml"""

    title: str
    package: str = Field(
        pattern=r"^[a-z]+:\S+$",
        description="registry:name, of which version, licence and release date are read",
    )
    homepage: Url
    documentation: Url | None = Field(None, description="where it is explained, if that is not the homepage")
    source: Url
    interface: Literal["asgi", "wsgi", "native"]
    server: str | None = Field(None, description="one of the language's servers")
    app: str | None = Field(None, description='what the server serves, as "module:name"')
    start: Argv | None = Field(None, description="a start command of the entry's own, in place of `server`")
    build: list[Argv] | None = Field(None, description="native build commands of the entry's own")
    python: str | None = Field(None, description="narrows the language's Python versions")
    commands: dict[str, Command] = Field({}, description="command that the native build needs → how to get it")
    status: Literal["maintained", "unmaintained"] = "maintained"
    suites: dict[str, Part] = Field(
        min_length=1, description="suite → true, or the variants it has, or where its OpenAPI document is"
    )


class Awaited(Manifest):
    """A framework that has a place on the board and no entry yet."""

    title: str
    language: str = Field(description="title of its language")
    homepage: Url
    waits_for: str = Field(description="what has to come first, as the end of a sentence")


class AwaitedManifest(Manifest):
    """frameworks/not-yet.toml"""

    framework: list[Awaited] = []
