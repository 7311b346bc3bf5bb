"""Every mistake in a manifest gives one line that names file, key and remedy."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.catalog.manifests import Selections
from restbench.catalog.select import NEW, broken_entries, select_both, select_entries, select_suites
from restbench.errors import CatalogError, UsageError
from restbench.system.repository import Repository, find_repository
from restbench.system.text import did_you_mean
from restbench.targets.facts import code_lines

pytestmark = pytest.mark.files

FALCON = "frameworks/python/falcon/framework.toml"
TWICE = "frameworks/python/falcon-wsgi-granian/framework.toml"
"""An entry that runs the code of another."""


@pytest.fixture
def copy(tmp_path: Path) -> Repository:
    """A repository of the same shape, to break."""
    real = find_repository()
    for folder in ("frameworks", "fixtures"):
        shutil.copytree(real.root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return Repository(tmp_path)


def change(repository: Repository, file: str, old: str, new: str) -> list[str]:
    """Replaces text in a file and returns the mistakes that follow."""
    path = repository.root / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return mistakes_in(repository)


def mistakes_in(repository: Repository) -> list[str]:
    return [line for lines in load_catalog(repository).mistakes.values() for line in lines]


def test_the_repository_is_without_mistakes() -> None:
    catalog = load_catalog(find_repository())
    assert catalog.mistakes == {}
    assert {"reference/nginx", "python/falcon", "python/fastapi", "python/starlette"} <= set(catalog.entries)


def test_a_suite_names_the_variants_of_several_entries_and_an_entry_its_own() -> None:
    entries = load_catalog(find_repository()).entries.values()
    of_suites = {name for entry in entries for suite in entry.suites.values() for name in suite.manifest.variants}
    has = Counter(name for entry in entries for name in {n for suite in entry.suites for n in entry.variants(suite)})
    assert min(has[name] for name in of_suites) > 1
    assert {name for entry in entries for name in entry.manifest.variants} == {*has} - of_suites - {None}


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("homepage", "homepag", "homepag: unknown key; did you mean homepage?"),
        ("hello", "helo", "suites.helo: unknown suite; did you mean hello?"),
        (
            '"orjson", "msgspec"]',
            '"orjson", "msgspek"]',
            "suites.issue-tracker: unknown variant msgspek; did you mean msgspec?",
        ),
        (
            '"orjson", "msgspec"]',
            '"orjson", "sonic"]',
            'suites.issue-tracker: unknown variant sonic; say what it is: variants = { sonic = "schema" }, or "plain"',
        ),
        (
            "title",
            'variants = { msgspec = "schema" }\ntitle',
            "variants: other entries have msgspec too, and the suites say what it is; remove the line",
        ),
        (
            "title",
            'variants = { msgspek = "schema" }\ntitle',
            "variants: msgspek can be taken for msgspec, which other entries have; did you mean that?",
        ),
        (
            "title",
            'variants = { sonic = "plain" }\ntitle',
            "variants: no suite lists sonic; add it to a list in [suites], or remove the line",
        ),
        ("title", 'variants = { sonic = "fast" }\ntitle', "variants.sonic: Input should be 'plain' or 'schema' (it"),
        ('"app:app"', '"main:app"', "app: there is no main.py in this folder; add it, or name the module that holds"),
        (
            '= "uvicorn"',
            '= "uvicon"',
            "server: unknown server uvicon; did you mean uvicorn?",
        ),
        (
            "pypi:falcon",
            "pypi:falkon",
            (
                "package: requirements.txt has no version of pypi:falkon; add it to the "
                "dependencies and run make lock FRAMEWORK=python/falcon"
            ),
        ),
        ("hello         = true", 'hello = "no"', "suites.hello: write true, the list of its variants, or { openapi"),
        ("by_hand = []", "byhand = []", "suites.solr.byhand: unknown key; did you mean by_hand?"),
        ("title", 'commands.a = { debain = "a" }\ntitle', "commands.a.debain: unknown key; did you mean debian?"),
        ("pypi:falcon", "cpan:falcon", "package: packages of Python are called pypi:NAME"),
        ('"asgi"', '"cgi"', "interface: Input should be 'asgi', 'wsgi' or 'native' (it says 'cgi')"),
        ("title", 'python = "3.x"\ntitle', "python: '3.x' is not a version specifier; write it as"),
        ('title         = "Falcon"', "", "title: is missing; add it"),
        ("title", "[title", "is not TOML: "),
        ("hello         = true", 'hello = { openapi = "/" }', "suites.hello: has no feature checks; write true"),
        ("by_hand = []", 'by_hand = ["hug"]', "suites.solr.by_hand: unknown feature hug; did you mean huge?"),
        ("by_hand = []", 'lacks = ["text"]', "suites.solr.lacks: every entry has to have text"),
        ("{ msgspec =", "{ msgspek =", "json_library: msgspek is no suite and no variant; did you mean msgspec?"),
        (
            '{ variants = ["msgspec"], openapi = "/apidoc/openapi.json", by_hand = [] }',
            "true",
            "suites.solr: say where the OpenAPI document is",
        ),
        (
            'solr          = { variants = ["msgspec"]',
            'solr          = { variants = ["msgspek"]',
            "suites.solr.variants: unknown variant msgspek; did you mean msgspec?",
        ),
        (
            'solr          = { variants = ["msgspec"]',
            "solr          = { variants = []",
            "suites.solr.variants: lists no variant; name one, such as ['dataclasses']",
        ),
    ],
)
def test_a_mistake_names_file_key_and_remedy(copy: Repository, old: str, new: str, line: str) -> None:
    mistakes = change(copy, FALCON, old, new)
    assert mistakes[0].startswith(f"{FALCON}: {line}")
    assert all("\n" not in mistake or "TOML" in mistake for mistake in mistakes)


def test_an_entry_has_one_variant_with_another_json_library_at_most(copy: Repository) -> None:
    change(copy, FALCON, "title", 'variants = { sonic = "plain" }\ntitle')
    (mistake,) = change(copy, FALCON, '"orjson", "msgspec"]', '"orjson", "sonic", "msgspec"]')
    wrong = "suites.issue-tracker: orjson and sonic are variants with other JSON libraries; one is enough"
    assert mistake == f"{FALCON}: {wrong}"


def test_a_variant_of_two_entries_belongs_into_the_suites(copy: Repository) -> None:
    change(copy, FALCON, "title", 'variants = { serializers = "schema" }\ntitle')
    (mistake,) = change(copy, FALCON, '"orjson", "msgspec"]', '"orjson", "msgspec", "serializers"]')
    other = "python/djangorestframework has serializers too"
    assert mistake == f"{FALCON}: variants: {other}; move it to `variants` of the suites"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("falcon-wsgi", "falcon-wgsi", "code_from: there is no entry falcon-wgsi; did you mean falcon-wsgi"),
        ("falcon-wsgi", "falcon-wsgi-granian", "code_from: there is no entry falcon-wsgi-granian; did you mean falcon"),
        ("falcon-wsgi", "../go/gin", "code_from: String should match pattern"),
        ("app:app", "main:app", "app: there is no main.py in falcon-wsgi/; add it, or name the module that holds the"),
    ],
)
def test_a_mistake_about_the_code_of_another_entry_names_it(copy: Repository, old: str, new: str, line: str) -> None:
    assert change(copy, TWICE, f'"{old}"', f'"{new}"')[0].startswith(f"{TWICE}: {line}")


def test_an_entry_that_runs_the_code_of_another_has_none_itself(copy: Repository) -> None:
    (copy.root / TWICE).with_name("app.py").write_text("app = None\n")
    message = "code_from: app.py in this folder is never run; remove the file, or this line"
    assert mistakes_in(copy) == [f"{TWICE}: {message}"]


def test_an_entry_that_runs_the_code_of_another_may_have_its_own_start_on_another_adapter(copy: Repository) -> None:
    other = copy.root / "frameworks/typescript/nestjs-fastify"
    own = other.with_name("nestjs-again")
    shutil.copytree(other, own, ignore=shutil.ignore_patterns("src", "node_modules"))
    (own / "src").mkdir()
    (own / "src/main.ts").write_text("await start();\n")
    text = (own / "framework.toml").read_text().replace("NestJS (Fastify)", "NestJS, again")
    (own / "framework.toml").write_text(text.replace("interface", 'code_from = "nestjs-fastify"\ninterface'))
    catalog = load_catalog(copy)
    assert catalog.mistakes == {}
    main = sum(bool(line.strip()) for line in (other / "src/main.ts").read_text().splitlines())
    whole = code_lines(catalog.entries["typescript/nestjs-fastify"])
    assert whole and code_lines(catalog.entries["typescript/nestjs-again"]) == whole - main + 1
    (own / "src/app.module.ts").write_text("")
    (mistake,) = mistakes_in(copy)
    assert mistake.endswith("code_from: src/app.module.ts in this folder is never run; remove the file, or this line")


def test_an_entry_is_built_anew_when_the_code_changes_that_it_runs(copy: Repository) -> None:
    twice = load_catalog(copy).entries["python/falcon-wsgi-granian"]
    inputs = {*twice.build_inputs().values()}
    assert {folder / "requirements.txt" for folder in (twice.folder, twice.code_folder)} <= inputs


def test_entries_with_the_same_code_have_the_same_version_of_the_framework(copy: Repository) -> None:
    version = load_catalog(copy).entries["python/falcon-wsgi"].version()
    lock = "frameworks/python/falcon-wsgi/requirements.txt"
    (mistake,) = change(copy, lock, f"falcon=={version}", "falcon==1.2.3")
    assert mistake == (
        f"{TWICE}: code_from: pypi:falcon is {version} here and 1.2.3 in falcon-wsgi; "
        "run make lock FRAMEWORKS='python/falcon-wsgi python/falcon-wsgi-granian' UPGRADE=1"
    )


def test_entries_with_the_same_code_differ_only_in_their_servers() -> None:
    entries = load_catalog(find_repository()).entries
    allowed = {"title", "documentation", "server", "start", "commands", "code_from", "notes"}
    for entry in entries.values():
        other = entries[f"{entry.language.name}/{entry.code_folder.name}"]
        assert entry.manifest.model_dump(exclude=allowed) == other.manifest.model_dump(exclude=allowed)
        assert entry.version() == other.version()


def test_an_image_has_the_programs_that_a_running_app_is_asked_with() -> None:
    for entry in load_catalog(find_repository()).entries.values():
        manifest, dockerfile = entry.language.manifest, entry.dockerfile().read_text()
        for word in [*(manifest.facts or []), *(manifest.runtime_settings.command or [])]:
            if (name := word.removeprefix("{language}/")) != word:
                assert re.search(rf"^COPY .*\b{re.escape(name)} .*/app/$", dockerfile, re.MULTILINE), (entry.id, name)


def test_entries_with_the_same_code_are_updated_together() -> None:
    repository = find_repository()
    rules = json.loads((repository.root / ".github/renovate.json").read_text())["packageRules"]
    together = [set(rule.get("matchFileNames", [])) for rule in rules]
    for entry in load_catalog(repository).entries.values():
        if entry.manifest.code_from:
            both = {f"{repository.relative(folder)}/**" for folder in (entry.folder, entry.code_folder)}
            assert any(both <= names for names in together), entry.id


MISTAKES_ELSEWHERE = {
    "an awaited framework that is on the board": (
        ("frameworks/not-yet.toml", '"Robyn"', '"FastAPI"'),
        "framework: FastAPI has the entry python/fastapi; remove it from this list",
    ),
    "a selected entry that is not there": (
        ("frameworks/selections.toml", '"rust/axum"', '"rust/axun"'),
        "there is no entry rust/axun; did you mean rust/axum?",
    ),
    "a table of the summary that no suite has": (
        ("frameworks/selections.toml", "sprint-schema", "sprint-shema"),
        (
            "there is no table issue-tracker/sprint-shema; did you mean issue-tracker/sprint-schema, "
            "issue-tracker/sprint-raw or issue-tracker/userinfo-schema?"
        ),
    ),
    "a variant without a schema that no suite has": (
        ("fixtures/issue-tracker/suite.toml", 'without_schema = ["raw"', 'without_schema = ["row"'),
        "without_schema: unknown variant row; did you mean raw?",
    ),
    "code of another entry in a language that builds only its own": (
        ("frameworks/rust/rocket/framework.toml", "interface", 'code_from = "axum"\ninterface'),
        "code_from: builds of Rust take no code of another entry; remove the line",
    ),
    "something lacking that no suite allows": (
        ("frameworks/php/symfony/framework.toml", '"kept-connections"', '"kept-connection"'),
        "lacks: every entry has to have kept-connection; did you mean kept-connections?",
    ),
    "a library for what is not checked": (
        ("frameworks/typescript/fastify/framework.toml", "[suites]", '[by_library]\nvalidator = "Zod"\n\n[suites]'),
        "by_library: validator is not bodies, validation or openapi; did you mean validation?",
    ),
    "a lock for each release without a release": (
        ("frameworks/cpp/language.toml", "release ", "# release "),
        (
            "toolchain.release: is missing; native.lock is packages.{release}.txt, "
            'so name the Debian release of the image, such as "trixie"'
        ),
    ),
    "the colour of another language": (
        ("frameworks/go/language.toml", '"#E69F00"', '"#CC79A7"'),
        ("colour: #CC79A7 is the colour of Python; take one that is free: #E69F00, #DD0044, #0088FF, #EEBBBB, #55DDEE"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES_ELSEWHERE)
def test_a_mistake_in_another_file_is_one_line(copy: Repository, mistake: str) -> None:
    (file, right, wrong), message = MISTAKES_ELSEWHERE[mistake]
    assert change(copy, file, right, wrong) == [f"{file}: {message}"]


def test_without_a_default_selection_entries_have_to_be_named(catalog: Catalog) -> None:
    assert [entry.id for entry in select_entries(catalog, [])] == catalog.selections.default
    with pytest.raises(UsageError, match="no framework is named"):
        select_entries(replace(catalog, selections=Selections()), [])


def test_one_title_cannot_be_two_entries(copy: Repository) -> None:
    mistakes = change(copy, FALCON, '"Falcon"', '"fastapi"')
    assert mistakes == [
        "frameworks/python/fastapi/framework.toml: title: FastAPI is used by python/falcon already; rename one"
    ]


def test_a_missing_manifest_and_a_missing_fixture_are_named(copy: Repository) -> None:
    (copy.root / FALCON).unlink()
    (copy.root / "fixtures/issue-tracker/users.json").unlink()
    lines = mistakes_in(copy)
    assert "fixtures/issue-tracker/suite.toml: needs: there is no users.json next to it; add the file" in lines
    assert f"{FALCON}: is missing: write it, or remove the folder falcon/" in lines


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("import nosuch_module", "ModuleNotFoundError: No module named 'nosuch_module'"),
        ("def locked_version(:", "SyntaxError: "),
        ("def locked_version(): ...", "ValueError: it has no function locked_versions"),
    ],
)
def test_a_languages_module_that_cannot_be_used_is_a_mistake_of_that_language(
    copy: Repository, module: str, message: str
) -> None:
    (copy.root / "frameworks/rust/packages.py").write_text(module)
    ((about, (mistake,)),) = load_catalog(copy).mistakes.items()
    assert about == "rust/*"
    assert mistake.startswith(f"frameworks/rust/language.toml: registry: packages.py cannot be used ({message}")


MISTAKES_OF_A_LANGUAGE = {
    "an unknown placeholder": (
        ('"{env}/app"]', '"{envv}/app"]'),
        "native.start: unknown placeholder {envv}; did you mean env?",
    ),
    "a brace": (
        ('"{env}/app"]', '"{env/app"]'),
        "native.start: '{env/app' is no text with placeholders (expected '}' before end of string); write {{ and }}",
    ),
    "braces of JSON": (
        ('"{env}/app"]', '"{\\"a\\": 1}"]'),
        'native.start: unknown placeholder {"a"}; write {{ and }} for braces',
    ),
    "a placeholder that images do not have": (
        ('"{env}/facts.json"', '"{cache}/facts.json"'),
        "facts: unknown placeholder {cache}; known: entry, env, language, package",
    ),
    "a script that is not there": (
        ('"{language}/build"', '"{language}/make"'),
        "native: there is no make in this folder; add the file, or correct the command",
    ),
    "a colour that is no language's": (('"#56B4E9"', '"blue"'), "colour: Input should be '#0072B2', '#E69F00', "),
}


@pytest.mark.parametrize("mistake", MISTAKES_OF_A_LANGUAGE)
def test_a_mistake_in_a_language_is_one_line_and_the_others_go_on(copy: Repository, mistake: str) -> None:
    (right, wrong), message = MISTAKES_OF_A_LANGUAGE[mistake]
    lines = change(copy, "frameworks/rust/language.toml", right, wrong)
    assert [line.startswith(f"frameworks/rust/language.toml: {message}") for line in lines] == [True], lines
    languages = {name.partition("/")[0] for name in load_catalog(copy).entries}
    assert "rust" not in languages
    assert {"python", "go", "java", "typescript", "cpp"} <= languages


@pytest.mark.parametrize(("script", "key"), [("build", "native"), ("lock", "lock")])
def test_a_script_that_is_not_executable_is_named_with_the_remedy(copy: Repository, script: str, key: str) -> None:
    (copy.root / "frameworks/rust" / script).chmod(0o644)
    ((about, (mistake,)),) = load_catalog(copy).mistakes.items()
    assert about == "rust/*"
    assert mistake == (
        f"frameworks/rust/language.toml: {key}: {script} is not executable; run chmod +x frameworks/rust/{script}"
    )


def test_every_language_has_a_colour_of_its_own() -> None:
    languages = {entry.language.name: entry.language for entry in load_catalog(find_repository()).ranked}
    colours = [language.manifest.colour for language in languages.values()]
    free = {name: each.colour for name, each in languages.items() if not each.manifest.colour}
    assert not free, "name them in language.toml, so that they stay when another language joins"
    assert len(set(colours)) == len(colours)


def test_a_language_that_joins_gets_a_free_colour_and_leaves_the_others_theirs(copy: Repository) -> None:
    before = {entry.language.name: entry.language.colour for entry in load_catalog(copy).ranked}
    change(copy, "frameworks/go/language.toml", 'colour   = "#E69F00"\n', "")
    catalog = load_catalog(copy)
    assert catalog.mistakes == {}
    after = {entry.language.name: entry.language.colour for entry in catalog.ranked}
    assert after == before, "the one that is free is the one that Go had"


MANIFESTS = "frameworks/csharp/language.toml", "frameworks/csharp/aspnetcore/framework.toml"

CHANGES = {
    "a note": (MANIFESTS[1], "Garbage collection and", "The collection of garbage and", True),
    "a title": (MANIFESTS[1], '"ASP.NET Core"', '"ASP.NET"', True),
    "how to get a tool": (MANIFESTS[0], "with the .NET SDK", "as a package", True),
    "a comment": (MANIFESTS[0], "[native]", "# how it is built\n[native]", True),
    "how it is built": (MANIFESTS[0], '"{cache}"]]', '"{cache}", "fast"]]', False),
    "a suite": (MANIFESTS[1], "hello         = true\n", "", False),
    "the app": ("frameworks/csharp/aspnetcore/Program.cs", "\n", "\n\n", False),
}


@pytest.mark.parametrize("what", CHANGES)
def test_figures_stay_comparable_when_a_word_about_an_app_is_changed(copy: Repository, what: str) -> None:
    file, old, new, same = CHANGES[what]
    before = load_catalog(copy).entries["csharp/aspnetcore"].files_hash()
    assert change(copy, file, old, new) == []
    assert (load_catalog(copy).entries["csharp/aspnetcore"].files_hash() == before) is same


def test_what_the_app_s_own_code_checks_is_named_beside_the_rows_that_it_concerns(copy: Repository) -> None:
    by_hand = '[by_hand]\nbodies = "that a body is not null"\ndocuments = "that integers are whole"\n\n[suites]'
    assert change(copy, "frameworks/python/fastapi/framework.toml", "[suites]", by_hand) == []
    fastapi = load_catalog(copy).entries["python/fastapi"]

    def checked(suite: str, scenario: str, variant: str | None) -> list[str]:
        return [lack.sentence for lack in fastapi.lacks_in(suite, scenario, variant)]

    of_bodies, of_documents = (
        f"the app's own code checks {what}" for what in ("that a body is not null", "that integers are whole")
    )
    assert checked("issue-tracker", "create-task", "pydantic") == [of_bodies]
    assert checked("issue-tracker", "create-task", "raw") == [], "it has no declared types"
    assert checked("issue-tracker", "userinfo", "pydantic") == [], "it has no body"
    assert checked("workload", "bcrypt", None) == []
    assert checked("solr", "json_serialization", "pydantic") == [of_documents]
    assert [lack.sentence for lack in fastapi.by_hand] == [of_bodies, of_documents]


def test_who_checks_and_who_makes_the_document_is_said(copy: Repository) -> None:
    made = '[by_library]\nbodies = "Zod"\nvalidation = "Zod"\nopenapi = "OpenAPI Zod"\n\n[suites]'
    assert change(copy, "frameworks/typescript/nestjs-fastify/framework.toml", "[suites]", made) == []
    entries = load_catalog(copy).entries
    assert entries["typescript/nestjs-fastify"].done_by() == {
        "Bodies of requests": "Zod",
        "Validation rejects bad input": "Zod; the app's own code: huge",
        "OpenAPI from annotated code": "OpenAPI Zod",
    }
    assert entries["typescript/fastify"].done_by() == {
        "Bodies of requests": "the framework",
        "Validation rejects bad input": "the framework",
        "OpenAPI from annotated code": "the framework",
    }
    assert entries["php/slim"].done_by() == {}, "it has no variant with a schema"
    assert [*entries["go/chi"].done_by()] == ["Validation rejects bad input"], "only its rows of Solr have a schema"
    own = "the app's own code: missing, text, fraction, huge, repeated"
    assert entries["cpp/crow"].done_by()["Validation rejects bad input"] == own
    assert "OpenAPI from annotated code" not in entries["cpp/crow"].done_by(), "it makes no document"


def test_what_a_language_cannot_have_is_named_beside_the_rows_that_it_concerns(copy: Repository) -> None:
    symfony = load_catalog(copy).entries["php/symfony"]
    connects = symfony.suites["solr"].manifest.lacks["kept-connections"]
    assert [lack.sentence for lack in symfony.lacks("solr")] == [connects]
    assert [lack.badge for lack in symfony.lacks()] == ["no kept connections"]
    assert symfony.lacks("hello") == [], "nothing connects to Solr"
    assert symfony.fewer_at_a_time(512) == "a worker handles 64 requests at a time, and others wait"
    assert symfony.fewer_at_a_time(64) is None, "nothing waits"
    assert symfony.fewer_at_a_time(None) is None


def test_the_server_says_how_many_requests_a_worker_handles_at_a_time(copy: Repository) -> None:
    entries = load_catalog(copy).entries
    threads = entries["python/flask"].language.manifest.concurrency["gunicorn"]
    assert {entry.concurrency for entry in entries.values() if entry.manifest.server == "gunicorn"} == {threads}
    assert entries["python/falcon"].concurrency is None, "an event loop takes any number"
    assert entries["php/symfony"].concurrency == 64, "its own manifest says it"
    python = copy.root / "frameworks/python/language.toml"
    python.write_text(python.read_text().replace("[concurrency]\n", "[concurrency]\ngunicon = 8\n"))
    (mistake,) = mistakes_in(copy)
    assert mistake.startswith("frameworks/python/language.toml: concurrency: unknown server gunicon; did you mean guni")


def test_a_lock_file_that_nothing_reads_is_called_that(copy: Repository) -> None:
    (copy.root / "frameworks/rust/packages.py").unlink()
    (mistake,) = mistakes_in(copy)
    assert mistake == (
        "frameworks/rust/language.toml: native.lock: there is no packages.py in this folder to read Cargo.lock; "
        "write it as docs/ADDING-A-LANGUAGE.md says"
    )


@pytest.mark.parametrize(
    "left", ["__pycache__/app.pyc", "node_modules/a/b.js", "target/debug/app", "src/__pycache__/a"]
)
def test_what_tools_left_of_an_entry_on_another_branch_is_no_entry(copy: Repository, left: str) -> None:
    file = copy.frameworks / "python/other" / left
    file.parent.mkdir(parents=True)
    file.touch()
    catalog = load_catalog(copy)
    assert catalog.mistakes == {}
    assert "python/other" not in catalog.entries


def test_a_broken_entry_leaves_the_others(copy: Repository) -> None:
    change(copy, FALCON, "title", "[title")
    catalog = load_catalog(copy)
    chosen = {e.id for e in select_entries(catalog, ["python/*"])}
    assert "python/falcon" not in chosen
    assert {"python/fastapi", "python/starlette"} <= chosen
    assert broken_entries(catalog, ["python/*"])[0].startswith(FALCON)
    assert broken_entries(catalog, ["python/starlette"]) == []
    with pytest.raises(CatalogError):
        select_entries(catalog, ["python/falcon"])


def test_a_broken_language_takes_its_entries_out_and_says_so(copy: Repository) -> None:
    change(copy, "frameworks/python/language.toml", "title", "titel")
    catalog = load_catalog(copy)
    assert "reference/nginx" in catalog.entries
    assert not any(entry.startswith("python/") for entry in catalog.entries)
    assert broken_entries(catalog, ["python/falcon"])[0].startswith(
        "frameworks/python/language.toml: titel: unknown key"
    )


def test_patterns_choose_competitors_and_the_reference_only_by_name(catalog: Catalog) -> None:
    assert "reference/nginx" not in {e.id for e in select_entries(catalog, ["all"])}
    assert "reference/nginx" not in {e.id for e in select_entries(catalog, ["*"])}
    assert [e.id for e in select_entries(catalog, ["reference/nginx"])] == ["reference/nginx"]
    assert [e.id for e in select_entries(catalog, ["python/fast*"])] == ["python/fastapi"]


@pytest.mark.parametrize("pattern", ["python", "python/", "python/*"])
def test_a_language_stands_for_its_entries(pattern: str, catalog: Catalog) -> None:
    chosen = select_entries(catalog, [pattern])
    assert chosen == [entry for entry in catalog.ranked if entry.language.name == "python"]


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [("pyton", "python"), ("pyhton/*", "python/*"), ("rsut", "rust"), ("falcn", "python/falcon")],
)
def test_what_is_near_a_mistyped_name_is_proposed(pattern: str, meant: str, catalog: Catalog) -> None:
    said = rf"^no framework is called {re.escape(pattern)}; did you mean .*{re.escape(meant)}"
    with pytest.raises(UsageError, match=said):
        select_entries(catalog, [pattern])


def test_entries_may_be_named_with_commas_between_them(catalog: Catalog) -> None:
    apart = select_entries(catalog, ["python/falcon", "rust/axum"])
    assert select_entries(catalog, ["python/falcon,rust/axum"]) == apart
    assert select_entries(catalog, ["python/falcon, rust/axum"]) == apart
    assert broken_entries(replace(catalog, mistakes={"go/gin": ["wrong"]}), ["python,go"]) == ["wrong"]


def test_entries_and_suites_have_to_fit(catalog: Catalog) -> None:
    assert select_both(catalog, ["rust/axum"], ["hello"]) == ([catalog.entries["rust/axum"]], ["hello"])
    with pytest.raises(UsageError, match="none of python/bottle takes part in solr"):
        select_both(catalog, ["python/bottle"], ["solr"])


def test_at_most_three_names_are_proposed_and_a_long_list_is_not_shown(catalog: Catalog) -> None:
    names = list(catalog.entries)
    assert did_you_mean("falcon", names) == "; did you mean python/falcon?"
    assert did_you_mean("python/flask-rest", names).count("python/") <= 3
    assert did_you_mean("zzz", names, listing="restbench list shows all") == "; restbench list shows all"
    assert did_you_mean("zzz", ["full", "quick"]) == "; known: full, quick"
    assert did_you_mean("flask", ["flash", "flack", "flas", "flaskk"]) == "; did you mean flaskk, flas or flack?"


def test_suites_may_be_named_with_commas_between_them(catalog: Catalog) -> None:
    assert set(select_suites(catalog, ["hello,solr", "workload"])) == {"hello", "solr", "workload"}
    assert set(select_suites(catalog, ["hello  solr,\tworkload "])) == {"hello", "solr", "workload"}


def test_the_example_of_a_new_entry_is_none_that_exists(catalog: Catalog) -> None:
    assert NEW not in catalog.entries
    assert f"make new FRAMEWORK={NEW}\n" in (find_repository().root / "docs/ADDING-A-FRAMEWORK.md").read_text()


def test_cells_are_scenarios_times_variants(catalog: Catalog) -> None:
    cells = catalog.entries["python/falcon"].cells(["hello", "issue-tracker"])
    assert len(cells) == 1 + 4 * 2
    assert str(cells[0]) == "python/falcon/hello/hello_world"
    assert "python/falcon/issue-tracker/sprint/msgspec" in {str(cell) for cell in cells}


def test_the_files_hash_follows_the_code_that_an_entry_runs_and_what_its_language_shares(copy: Repository) -> None:
    def changed_with(file: str) -> set[str]:
        before = {e.id: e.files_hash() for e in load_catalog(copy).entries.values()}
        (copy.frameworks / file).open("a").write("# changed\n")
        return {e.id for e in load_catalog(copy).entries.values() if before[e.id] != e.files_hash()}

    every = load_catalog(copy).entries
    assert changed_with("python/falcon/app.py") == {"python/falcon"}
    assert changed_with("python/falcon-wsgi/app.py") == {"python/falcon-wsgi", "python/falcon-wsgi-granian"}
    assert changed_with("python/shared/source.py") == {name for name in every if name.startswith("python/")}


def test_each_variant_and_suite_may_have_a_json_library_of_its_own() -> None:
    falcon = load_catalog(find_repository()).entries["python/falcon"]
    libraries = {"msgspec": "msgspec", "solr": "msgspec", "other": "json"}
    entry = replace(falcon, manifest=falcon.manifest.model_copy(update={"json_library": libraries}))
    found = {(cell.scenario, cell.variant): entry.json_library(cell) for cell in entry.cells(list(entry.suites))}
    assert found["sprint", "msgspec"] == found["json_serialization", "msgspec"] == "msgspec"
    assert found["sprint", "raw"] == found["simple", "raw"] == found["bcrypt", None] == "json"
    assert found["hello_world", None] is None, "a text is no JSON"
    unsaid = replace(falcon, manifest=falcon.manifest.model_copy(update={"json_library": {}}))
    assert {unsaid.json_library(cell) for cell in unsaid.cells(list(unsaid.suites))} == {None}
