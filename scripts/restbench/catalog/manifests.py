"""The TOML files as they are written.

JSON Schemas for editors are exported from the models of framework.toml, language.toml and suite.toml.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, Tag, model_validator

NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"
"""The pattern of names of languages, entries, suites and variants. They are parts of the names of images, containers,
artifacts and jobs, and of addresses, and this is what all of them allow."""

Argv = Annotated[list[str], Field(min_length=1)]
Name = Annotated[str, Field(pattern=NAME)]
EntryName = Annotated[str, Field(pattern=f"{NAME[:-1]}/{NAME[1:]}")]
Url = Annotated[str, Field(pattern=r"^https?://\S+$")]

REMOTE = r"^[A-Za-z0-9_.-]+=https?://\S+$"
"""The pattern of a server's name and URL."""

PLACEHOLDERS = ("entry", "code", "language", "env", "cache", "python", "jdk", "uv", "package")
"""What is replaced in the native commands of a language."""

FACTS_PLACEHOLDERS = ("entry", "language", "env", "package")
"""What is replaced in a facts command, natively and in the image."""

RUNNING_PLACEHOLDERS = (*FACTS_PLACEHOLDERS, "pid")
"""What is replaced in a command that asks a running app."""

SERVER_PLACEHOLDERS = ("app", "port", "workers", "concurrency")
"""What is replaced in the commands of servers."""

LANGUAGE_COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00",
    "#4444FF", "#99DD88", "#DD0044", "#0088FF", "#EEBBBB", "#55DDEE",
)  # fmt: skip
"""Colours of languages in charts. The first six are those of Okabe and Ito without black, which intervals have, and
without yellow, which does not show on white. No two of the twelve look more alike than those of the six that look most
alike, to people with normal, deuteranopic or protanopic vision."""


class Manifest(BaseModel):
    """Base of all manifests. Unknown keys are refused, and values do not change after they were read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Setup:
    """A way to start an app: its workers and its variables. `workers` is None for one worker per CPU of the app."""

    workers: int | None = None
    environment: tuple[tuple[str, str], ...] = ()


USUAL_SETUP = Setup()

OTHER = "other"
"""In a manifest's `json_library`: all cells that it does not name by variant or suite."""


class Batch(Manifest):
    """A fixed number of requests, sent by some clients one after the other. The time until all are answered counts."""

    clients: int = Field(ge=1)
    requests: int = Field(ge=1, description="requests of all clients together")


class Scenario(Manifest):
    """One request shape of a suite, with its contract and the conditions under which it is measured."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    title: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str = Field(pattern=r"^/", description="may contain {variant}, and {id}: a new integer in each request")
    body: str | None = Field(
        None,
        description="file next to suite.toml that is sent under load, in several forms: an object of texts and lists of"
        " texts; {id} in it is the id of the request",
    )
    status: int = Field(ge=200, le=299)
    content_type: str | None = Field(None, description="absent where the answer has no body")
    source_fetches: int = Field(0, ge=0, description="fetches from the emulated data source per request")
    waits_ms: float = Field(
        0, ge=0, description="milliseconds that each request has to wait by contract, without using a CPU"
    )
    computes: Literal["bcrypt"] | None = Field(
        None, description="work that each request computes; its cost is measured alone too"
    )
    loaded: bool = Field(True, description="false: the scenario is verified and not measured")
    features: list[str] = Field([], description="feature checks of the app; the board shows them in place of a figure")
    may_lack: list[str] = Field(
        [], description="features that an entry may list in `lacks`, because its framework cannot have them"
    )
    connections: int | None = Field(
        None, ge=1, description="connections under load, in place of the profile's; slow apps get fewer"
    )
    rate: int | None = Field(None, ge=1, description="requests per second at which latencies of all apps are compared")
    batch: Batch | None = Field(None, description="a batch that is measured, in place of load for a fixed time")
    workers: int | None = Field(None, ge=1, description="workers of the app, in place of one per CPU")
    environment: dict[str, str] = Field({}, description="variables that the app gets in addition to the usual ones")
    link_delay_ms: float = Field(0, ge=0, description="delay of the link in each direction, in milliseconds")
    column: str | None = Field(
        None, description="title of its column in the table of the neighbouring scenarios with the same `title`"
    )

    @property
    def has_variants(self) -> bool:
        """Whether each variant of an entry answers it at a path of its own. Otherwise it is one cell per entry."""
        return "{variant}" in self.path

    @property
    def has_json(self) -> bool:
        """Whether its requests or answers are JSON."""
        return self.body is not None or self.content_type == "application/json"

    @property
    def is_judged_by_time(self) -> bool:
        """Whether its figure is the time of a batch that mostly waits, so that the app hardly uses the CPU."""
        return self.batch is not None and self.computes is None

    @property
    def setup(self) -> "Setup":
        """How the app has to be started for this scenario."""
        return Setup(self.workers, tuple(sorted(self.environment.items())))


class SuiteManifest(Manifest):
    """fixtures/<suite>/suite.toml"""

    title: str
    about: str
    contract: int = Field(
        1,
        ge=1,
        description="the number of its contract: one more where apps have to do other work for a request than before, "
        "so that earlier figures cannot be compared",
    )
    variants: list[Name] = Field(
        [], description="the variants of several entries; empty: the suite has none. An entry names its own ones itself"
    )
    without_schema: list[str] = Field(
        [], description="the variants that read and write the language's plain JSON types; all others validate"
    )
    needs: list[str] = Field([], description="files next to suite.toml that apps read at start")
    lacks: dict[str, str] = Field(
        {}, description="what an entry may name in its own `lacks` → what the board then says beside its rows"
    )
    backend: str | None = Field(None, description="the backend that the app needs, such as solr")
    scenario: list[Scenario] = Field(min_length=1)


class Command(Manifest):
    """A command that a machine needs, and how to install it."""

    debian: str | None = Field(None, description="the Debian packages that contain it, separated by spaces")
    otherwise: str | None = Field(
        None, description='another way to get it, as the end of "install it", such as "by https://rustup.rs"'
    )
    at_least: str | None = Field(None, pattern=r"^\d+(\.\d+)*$", description="the oldest version that is sufficient")
    version: str = Field("--version", description="the argument with which it prints its version")

    @model_validator(mode="after")
    def _can_be_had(self) -> Self:
        if not (self.debian or self.otherwise):
            raise ValueError("name the Debian packages that bring it (debian), or say how else to get it (otherwise)")
        return self


class LockedTool(Manifest):
    """A program that builds install for themselves, in the version of a lock file."""

    package: str = Field(description="the package that contains it, without its registry")
    lock: str = Field(description="the lock file, as a path in the language's folder")


class Toolchain(Manifest):
    """The programs and packages that a machine needs to run a language's entries natively."""

    python: str | None = Field(None, description='versions of Python that fit, such as ">=3.11"')
    jdk: str | None = Field(None, description='versions of the JDK that fit, such as ">=17"')
    commands: dict[str, Command] = Field({}, description="command → how to get it")
    locked: dict[str, LockedTool] = Field({}, description="program that builds install → its locked package")
    packages: list[str] = Field([], description="Debian packages that entries are built with, in any version")
    release: str | None = Field(
        None,
        description='codename of the Debian release of the image, such as "trixie"; replaces {release} in `lock`',
    )


class Native(Manifest):
    """How entries are built and started on this machine.

    Placeholders in commands are replaced. {entry} and {language} are folders. {code} is the folder of the app's code:
    the entry's own, or that of the entry in `code_from`. {env} is the folder of the entry's own environment, into which
    the entry is built. {cache} is a folder that all builds of the language share. {python} is the Python interpreter
    that was found, {uv} the uv that restbench runs with, {jdk} the folder of the JDK that was found, {package} the name
    of the framework's package.
    """

    build: list[Argv] = []
    inputs: list[str] = Field([], description="patterns of the entry's files that the environment depends on")
    shared_inputs: list[str] = Field([], description="patterns of the language's files that the environment depends on")
    lock: str | None = Field(
        None,
        description="the lock file in which `package` is looked up; {release} in it is the codename of a release",
    )
    start: Argv


class WarmUp(Manifest):
    """How long apps of a language take until they are warm."""

    at_least: float = Field(
        0, ge=0, le=60, description="seconds from the first load of an app until its cost can be that of a warm one"
    )
    window: float = Field(
        gt=0, le=10, description="seconds of load over which the CPU time per request of a cell has to be steady"
    )


class Remote(Manifest):
    """The server that a package manager gets its packages from."""

    title: str = Field(description='what it is called, such as "Conan\'s remote"')
    variable: str = Field(
        pattern=r"^[A-Z][A-Z0-9_]*$", description="the variable with which a user names another server, as NAME=URL"
    )
    default: str = Field(pattern=REMOTE, description="the server that is used without it, as NAME=URL")


class PackageManager(Manifest):
    """A further package manager of a language: what is different in entries whose package comes from it.

    Placeholders in `build` are those of `native`.
    """

    build: list[Argv] = Field(description="the commands that build an entry natively, in place of `native.build`")
    inputs: list[str] = Field(description="patterns of the entry's files, in place of `native.inputs`")
    lock: str = Field(description="the lock file in which `package` is looked up, in place of `native.lock`")
    remote: Remote | None = Field(None, description="its server, where a user can name another one")


class RuntimeSettings(Manifest):
    """What the runtime of a running app is asked, and what it has to say.

    The command runs beside the app: in its container, or as the same user on the same CPUs. It has the environment of
    the app's first process, whose number replaces {pid}.
    """

    command: Argv | None = Field(None, description="prints settings as JSON: name → text")
    variables: list[str] = Field([], description="variables of the app that are shown where they are set")
    production: dict[str, list[str]] = Field({}, description="setting → the texts that it may have in production")


class LanguageManifest(Manifest):
    """frameworks/<language>/language.toml"""

    title: str
    also_called: list[str] = Field([], description='other names by which readers look for it, such as "JavaScript"')
    ranked: bool = Field(True, description="false: measured with the others, and never ranked")
    colour: Literal[LANGUAGE_COLOURS] | None = Field(  # type: ignore[valid-type]
        None, description="the colour of the language's bars in charts, which no other language has"
    )
    baseline: str | None = Field(
        None,
        description="the entry that the others are compared with; a comment says why it was chosen",
    )
    compiles_at_run_time: bool = Field(
        False, description="true: two starts of one app differ by several per cent, as it is compiled anew each time"
    )
    warm_up: WarmUp | None = Field(
        None, description="for apps that get faster while they run; without it a cell gets one load before its rounds"
    )
    bcrypt: str | None = Field(None, description='the library that entries compute bcrypt with, such as "crate bcrypt"')
    toolchain: Toolchain = Toolchain()
    native: Native
    app_file: str | None = Field(None, description='the file of an app "module:name", such as "{module}.py"')
    code: list[str] = Field([], description='patterns of the files that are an entry\'s own code, such as "*.py"')
    replaceable: list[str] = Field(
        [],
        description="patterns of the code that an entry with `code_from` may have of its own, in place of the other's",
    )
    registry: str = Field(
        pattern=r"^[a-z]+$", description="where packages come from, such as pypi; each entry's `package` begins with it"
    )
    package_managers: dict[str, PackageManager] = Field(
        {}, description="further registry → its package manager; an entry's `package` may begin with it instead"
    )
    facts: Argv | None = Field(
        None, description="prints licence, number of packages and runtime as JSON; placeholders as in `native`"
    )
    runtime_settings: RuntimeSettings = RuntimeSettings()
    servers: dict[str, Argv] = Field({}, description="server → its command; framework.toml names a server")
    concurrency: dict[str, int] = Field(
        {}, description="server → how many requests a worker handles at a time, where a thread or a process handles one"
    )
    shares_nothing: bool = Field(
        False, description="true: a process keeps nothing between requests, so each is a connection of the data source"
    )

    @property
    def image_lock(self) -> str:
        """The name of the lock file that the image is built with; empty in a language without lock files."""
        return (self.native.lock or "").replace("{release}", self.toolchain.release or "{release}")

    def with_packages_of(self, registry: str) -> Self:
        """Returns the manifest as it is for an entry whose package comes from that registry of the language."""
        if registry not in self.package_managers:
            return self
        own = self.package_managers[registry]
        native = self.native.model_copy(update={"build": own.build, "inputs": own.inputs, "lock": own.lock})
        return self.model_copy(update={"registry": registry, "native": native})


class Documented(Manifest):
    """How an entry takes part in a suite with feature checks."""

    variants: list[str] = Field([], description="the entry's variants, where the suite has variants")
    openapi: str | None = Field(
        None, pattern=r"^/", description="the path of the OpenAPI document; absent where the framework makes none"
    )
    by_hand: list[str] = Field(
        [],
        description="features that come from the entry's own code; no framework or library makes them from annotations",
    )
    lacks: list[str] = Field(
        [], description="features that are impossible with the framework; the suite names them in `may_lack`"
    )


class ByHand(Manifest):
    """What the entry's own code checks in schema variants, because its framework does not: ends of a sentence."""

    bodies: str | None = Field(None, description='of the bodies of requests, such as "that a body is not null"')
    documents: str | None = Field(None, description='of the documents of Solr, such as "that integers are whole"')


BODIES = "bodies"
"""The key of `by_library` for who checks the bodies of requests."""

DEFAULT_JSON = "raw"
"""The variant that uses the JSON library that the framework uses by default."""

VariantKind = Literal["plain", "schema"]
"""Whether a variant reads and writes the language's plain JSON types, or declared ones against which it validates."""


PARTS = {bool: "(switch)", list: "(variants)", dict: "(table)", Documented: "(table)"}
"""Type of the value after a suite's name → the tag of that type. Messages do not show tags."""


Part = Annotated[
    Annotated[StrictBool, Tag("(switch)")]
    | Annotated[list[str], Tag("(variants)")]
    | Annotated[Documented, Tag("(table)")],
    Discriminator(
        lambda value: PARTS.get(type(value)),
        custom_error_type="part",
        custom_error_message='write true, the list of its variants, or { openapi = "/openapi.json" }',
    ),
]
"""How an entry takes part in a suite."""


class FrameworkManifest(Manifest):
    """frameworks/<language>/<framework>/framework.toml"""

    title: str
    also_called: list[str] = Field([], description='other words by which readers look for it, such as "Kotlin"')
    language: Name | None = Field(
        None, description="the language of an entry that is in a folder outside of the checkout"
    )
    package: str = Field(
        pattern=r"^[a-z]+:\S+$",
        description="registry:name; its version, licence and release date are looked up",
    )
    homepage: Url
    documentation: list[Url] = Field(min_length=1, description="the pages of the documentation that the app follows")
    source: Url
    interface: Literal["asgi", "wsgi", "native"]
    server: str | None = Field(None, description="one of the language's servers")
    app: str | None = Field(None, description='the app that the server serves, as "module:name"')
    start: Argv | None = Field(None, description="the entry's own start command, in place of `server`")
    code_from: str | None = Field(
        None,
        pattern=r"^[a-z0-9][a-z0-9-]*$",
        description="the entry of the same language whose code this one runs, such as on another server",
    )
    variants: dict[Name, VariantKind] = Field(
        {}, description="the variants that no other entry has → whether they have a schema, or plain JSON types"
    )
    json_library: dict[str, str] = Field(
        {}, description="variant, or suite, or `other` → the library that reads and writes the JSON of its answers"
    )
    build: list[Argv] | None = Field(None, description="the entry's own native build commands")
    python: str | None = Field(None, description="narrows the language's Python versions")
    jdk: str | None = Field(None, description="narrows the language's versions of the JDK")
    commands: dict[str, Command] = Field({}, description="command that the native build needs → how to get it")
    concurrency: int | None = Field(
        None, ge=1, description="how many requests a worker handles at a time, where a thread or a process handles one"
    )
    lacks: list[str] = Field(
        [], description="what the language cannot have; a suite lists it in its own `lacks`, and the board shows it"
    )
    by_hand: ByHand = ByHand()
    by_library: dict[str, str] = Field(
        {},
        description="`bodies`, or a scenario with feature checks → the library of another project that does it in "
        "schema variants, because the framework does not",
    )
    status: Literal["maintained", "unmaintained"] = "maintained"
    notes: list[str] = Field([], description="what was decided about the entry, and why; one decision each")
    suites: dict[str, Part] = Field(
        min_length=1, description="suite → true, or the list of its variants, or a table for feature checks"
    )

    def variants_in(self, suite: str) -> list[str]:
        """The entry's variants in a suite; none where it has no variants, or does not take part."""
        chosen = self.suites.get(suite, False)
        named = chosen.variants if isinstance(chosen, Documented) else chosen
        return named if isinstance(named, list) else []

    def code_folder(self, folder: Path) -> Path:
        """Returns where the app's code is. `folder` is the entry's own folder."""
        return folder.with_name(self.code_from) if self.code_from else folder


class Awaited(Manifest):
    """A framework that has a place on the board and no entry yet."""

    title: str
    language: str = Field(description="title of its language")
    homepage: Url
    waits_for: str = Field(description="what has to happen first, as the end of a sentence")


class AwaitedManifest(Manifest):
    """frameworks/not-yet.toml"""

    framework: list[Awaited] = []


class MovedManifest(Manifest):
    """frameworks/moved.toml: the former names of entries, and their present ones. `restbench rename` writes it."""

    moved: dict[EntryName, EntryName] = {}


class ReadmeSelection(Manifest):
    """What README.md shows of the board. The pages in results/ show all of it."""

    summary: list[str] = Field(
        [], description="the tables of the summary, as suite/table: the scenario's name, with -raw or -schema"
    )
    remarks: dict[str, str] = Field(
        {}, description="table of the summary → why its order is not that of the first table, in one sentence"
    )


class Selections(Manifest):
    """frameworks/selections.toml: entries and tables that stand for all of them, and where the site is."""

    site: str | None = Field(
        None,
        pattern=r"^https://\S+/$",
        description="the address of the site, with a slash at its end: links of README.md, feeds and badges lead there",
    )
    default: list[str] = Field([], description="entries that are taken where none is named")
    sample: list[str] = Field([], description="entries that are compared in place of all when the harness changed")
    readme: ReadmeSelection = ReadmeSelection()

    @property
    def names(self) -> list[str]:
        """All entries that are named anywhere, each once."""
        return sorted({*self.default, *self.sample})
