"""The version that ran, from whatever file locks it, and scripts/lock, which makes these files."""

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from restbench.catalog import load_catalog, packages
from restbench.commands.scaffold import scaffold
from restbench.errors import BuildError, EntryError, UnreachableError, UsageError
from restbench.system import debian
from restbench.system.repository import find_repository
from tests.made.programs import a_program

ROOT = find_repository().root
CATALOG = load_catalog(find_repository())
LANGUAGES = {
    "pypi": "python",
    "crates": "rust",
    "npm": "typescript",
    "maven": "java",
    "nuget": "csharp",
    "packagist": "php",
    "debian": "cpp",
    "conan": "cpp",
}
"""Registry → the language whose packages it has."""


def locked_version(lock: Path, package: str) -> str | None:
    language = ROOT / "frameworks" / LANGUAGES[package.partition(":")[0]]
    return packages.locked_version(language, lock, package)


LOCK = """\
Falcon==4.4.0 \\
    --hash=sha256:00
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:01
numpy==2.10.0 ; python_full_version >= '3.12' \\
    --hash=sha256:02
uvicorn[standard]==0.54.0
"""


CARGO = """
version = 4
[[package]]
name = "hyper"
version = "0.14.32"
[[package]]
name = "hyper"
version = "1.10.0"
[[package]]
name = "rocket"
version = "0.5.0-rc.4"
[[package]]
name = "rocket"
version = "0.5.0"
[[package]]
name = "ahead"
version = "1.0.0-rc.2"
[[package]]
name = "ahead"
version = "1.0.0-rc.10+build.3"
"""

NPM = """{"lockfileVersion": 3, "packages": {"": {"name": "app"},
"node_modules/@nestjs/core": {"version": "12.5.1"}, "node_modules/a/node_modules/b": {"version": "1.0.0"}}}"""

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<properties><jooby.version>3.11.5</jooby.version></properties>
<dependencies>
<dependency><groupId>io.jooby</groupId><artifactId>jooby-netty</artifactId><version>${jooby.version}</version></dependency>
<dependency><groupId>at.favre.lib</groupId><artifactId>bcrypt</artifactId><version>0.10.2</version></dependency>
<dependency><groupId>org.example</groupId><artifactId>managed</artifactId></dependency>
</dependencies></project>"""

CONAN = """{"version": "0.5", "requires": ["crowcpp-crow/1.3.3#16360591d8ec%1795594541.5", "asio/1.29.0"]}"""

NUGET = """{"version": 1, "dependencies": {"net10.0": {
"FastEndpoints": {"type": "Direct", "requested": "[8.3.0, )", "resolved": "8.3.0"},
"shared": {"type": "Project", "dependencies": {"BCrypt.Net-Next": "[4.2.0, )"}}}}}"""

COMPOSER = """{"packages": [{"name": "slim/slim", "version": "4.15.3"}, {"name": "symfony/yaml", "version": "v7.4.23"}],
"packages-dev": [{"name": "phpunit/phpunit", "version": "12.1.0"}]}"""

DEBIAN = "libcpprest-dev=2.10.18-1+b1\nlibcpp-httplib-dev=0.11.4+ds-1+deb12u1\nlibasio-dev=1:1.22.1-1\n"


@pytest.mark.parametrize(
    ("lock", "text", "package", "version"),
    [
        ("requirements.txt", LOCK, "pypi:falcon", "4.4.0"),
        ("requirements.txt", LOCK, "pypi:uvicorn", "0.54.0"),
        ("requirements.txt", LOCK, "pypi:numpy", "2.10.0"),
        ("requirements.txt", LOCK, "pypi:flask", None),
        ("Cargo.lock", CARGO, "crates:hyper", "1.10.0"),
        ("Cargo.lock", CARGO, "crates:axum", None),
        ("Cargo.lock", CARGO, "crates:rocket", "0.5.0"),
        ("Cargo.lock", CARGO, "crates:ahead", "1.0.0-rc.10+build.3"),
        ("package-lock.json", NPM, "npm:@nestjs/core", "12.5.1"),
        ("package-lock.json", NPM, "npm:b", None),
        ("pom.xml", POM, "maven:io.jooby:jooby-netty", "3.11.5"),
        ("pom.xml", POM, "maven:at.favre.lib:bcrypt", "0.10.2"),
        ("pom.xml", POM, "maven:org.example:managed", None),
        ("packages.lock.json", NUGET, "nuget:FastEndpoints", "8.3.0"),
        ("packages.lock.json", NUGET, "nuget:Microsoft.AspNetCore.App", "10.0"),
        ("packages.lock.json", NUGET, "nuget:shared", None),
        ("composer.lock", COMPOSER, "packagist:slim/slim", "4.15.3"),
        ("composer.lock", COMPOSER, "packagist:symfony/yaml", "7.4.23"),
        ("composer.lock", COMPOSER, "packagist:phpunit/phpunit", None),
        ("packages.trixie.txt", DEBIAN, "debian:libcpprest-dev", "2.10.18"),
        ("packages.trixie.txt", DEBIAN, "debian:libcpp-httplib-dev", "0.11.4"),
        ("packages.trixie.txt", DEBIAN, "debian:libasio-dev", "1.22.1"),
        ("packages.trixie.txt", DEBIAN, "debian:libcpprest", None),
        ("packages.trixie.txt", "node=2.0*", "debian:node", "2.0"),
        ("packages.trixie.txt", "libcpp-httplib-dev=0.18.7-1*", "debian:libcpp-httplib-dev", "0.18.7"),
        ("conan.lock", CONAN, "conan:crowcpp-crow", "1.3.3"),
        ("conan.lock", CONAN, "conan:asio", "1.29.0"),
        ("conan.lock", CONAN, "conan:restbed", None),
    ],
)
def test_every_language_has_its_lock(tmp_path: Path, lock: str, text: str, package: str, version: str | None) -> None:
    (tmp_path / lock).write_text(text)
    assert locked_version(tmp_path / lock, package) == version


@pytest.mark.parametrize("registry", LANGUAGES)
def test_a_lock_that_cannot_be_read_locks_nothing(tmp_path: Path, registry: str) -> None:
    (tmp_path / "lock").write_text("<<< a conflict")
    assert locked_version(tmp_path / "lock", f"{registry}:axum") is None


def test_debian_packages_are_installed_in_their_whole_version(tmp_path: Path) -> None:
    (tmp_path / "packages.trixie.txt").write_text(DEBIAN)
    locked = packages.locked_versions(tmp_path, tmp_path / "packages.trixie.txt", "debian")
    assert locked["libasio-dev"] == "1:1.22.1-1"


def test_debians_packages_need_no_module_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "packages.trixie.txt").write_text(
        "libmojolicious-perl=9.39+dfsg-1\nlibcrypt-eksblowfish-perl=0.009-3\n"
    )
    lock = tmp_path / "packages.trixie.txt"
    assert packages.locked_version(tmp_path, lock, "debian:libmojolicious-perl") == "9.39"
    assert packages.locked_version(tmp_path, lock, "cpan:Mojolicious") is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return lock.version", r"locked_version fails \(AttributeError: 'str' object has no attribute 'version'\)"),
        ("return 3", "locked_version returns 3, which is no str"),
    ],
)
def test_a_function_with_a_mistake_is_reported_in_one_line(tmp_path: Path, body: str, says: str) -> None:
    module = f"def locked_version(lock, name):\n    {body}\n\n\ndef locked_versions(lock):\n    return {{}}\n"
    (tmp_path / "packages.py").write_text(module)
    (tmp_path / "lock").write_text("mojolicious 9.39\n")
    with pytest.raises(EntryError, match=f"^packages.py: {says}; correct it$"):
        packages.locked_version(tmp_path, tmp_path / "lock", "cpan:mojolicious")


@pytest.mark.parametrize(
    "lock", sorted(ROOT.glob("requirements*.txt")) + sorted(ROOT.glob("frameworks/python/*/*.txt"))
)
def test_python_locks_say_how_they_are_made_anew(lock: Path) -> None:
    """Renovate runs the command in their second line, and refuses options that it does not know."""
    option = r" --(universal|generate-hashes|(python-version|extra|constraint|output-file)=\S+)"
    command = lock.read_text().splitlines()[1]
    assert re.fullmatch(rf"#    uv pip compile({option}| requirements\.in| pyproject\.toml)+", command)
    assert command.endswith(f"--output-file={lock.name}")


def test_the_template_pins_what_the_finished_entry_pins() -> None:
    """Renovate does not read templates."""
    typescript = ROOT / "frameworks/typescript"
    new = json.loads((typescript / "template/package.json.j2").read_text())
    finished = json.loads((typescript / "fastify/package.json").read_text())
    for kind in ("dependencies", "devDependencies"):
        assert new[kind].items() <= finished[kind].items()


@pytest.mark.parametrize(
    ("machine", "target", "file"),
    [
        ("bookworm", "native", "packages.bookworm.txt"),
        ("bookworm", "docker", "packages.trixie.txt"),
        ("trixie", "native", "packages.trixie.txt"),
        ("noble", "native", "packages.trixie.txt"),
        (None, "native", "packages.trixie.txt"),
    ],
)
def test_each_release_of_debian_has_its_lock(
    machine: str | None, target: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "codename", lambda: machine)
    restinio = CATALOG.entries["cpp/restinio"]
    assert restinio.lock(target) == restinio.folder / file
    assert restinio.version(target) == locked_version(restinio.folder / file, restinio.manifest.package)


def test_the_image_is_built_on_the_release_whose_lock_it_gets() -> None:
    for language in {entry.language.name: entry.language for entry in CATALOG.entries.values()}.values():
        if release := language.manifest.toolchain.release:
            bases = re.findall(r"^FROM debian:(\w+)", language.dockerfile.read_text(), re.MULTILINE)
            assert set(bases) == {release}


WRITES = 'echo "${UPGRADE:-kept}" >"$1/requirements.txt"'
FAILS = "echo no such package >&2\nexit 3"
UNREACHABLE = "echo https://packages.example.org/a failed: ENOTFOUND >&2\nexit 1"
TOML = 'title = "Pascal"\nregistry = "pypi"\n[native]\nlock = "requirements.txt" # of this language\nstart = ["true"]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with two entries of a language that locks, and one of a language that does not."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(find_repository().root / "scripts/lock", tmp_path / "scripts")
    for entry in ("pascal/one", "pascal/two", "basic/three"):
        folder = tmp_path / "frameworks" / entry
        folder.mkdir(parents=True)
        (folder / "framework.toml").touch()
    (tmp_path / "frameworks/pascal/language.toml").write_text(TOML)
    write_lock(tmp_path, WRITES)
    return tmp_path


def write_lock(root: Path, body: str) -> None:
    a_program(root / "frameworks/pascal/lock", body)


def locked(root: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **variables}
    command = [str(root / "scripts/lock"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_pattern_stands_for_all_that_it_matches_and_nothing_else_is_locked(root: Path) -> None:
    ran = locked(root, "pascal/o*", UPGRADE="1")
    assert (ran.returncode, ran.stdout) == (0, "frameworks/pascal/one/requirements.txt\n")
    assert ran.stderr == "locking pascal/one\n"
    assert (root / "frameworks/pascal/one/requirements.txt").read_text() == "1\n"
    assert not (root / "frameworks/pascal/two/requirements.txt").exists()


@pytest.mark.parametrize(
    ("name", "lock", "mode", "code", "message"),
    [
        ("pascal/one", FAILS, 0o755, 3, "locking pascal/one\nno such package\nlocking pascal/one failed with code 3"),
        ("pascal/thre", WRITES, 0o755, 2, "there is no framework pascal/thre here: make list has their names"),
        (
            "pascal/one", WRITES, 0o644, 2,
            "frameworks/pascal/lock is not executable: run chmod +x frameworks/pascal/lock",
        ),
        ("basic/three", WRITES, 0o755, 0, "frameworks/basic has no script lock, as its versions are written by hand"),
    ],
)  # fmt: skip
def test_what_cannot_be_locked_is_reported_with_the_reason_or_the_remedy(
    root: Path, name: str, lock: str, mode: int, code: int, message: str
) -> None:
    write_lock(root, lock)
    (root / "frameworks/pascal/lock").chmod(mode)
    ran = locked(root, name)
    assert ran.returncode == code
    assert message in ran.stderr
    assert code == 0 or ran.stderr == f"{message}\n"


def test_debians_packages_are_locked_for_this_release_and_for_that_of_images(root: Path, tmp_path: Path) -> None:
    """The container is only asked for: a program in place of Docker writes down its arguments."""
    folder, release = root / "frameworks/pascal/one", platform.freedesktop_os_release()["VERSION_CODENAME"]
    shutil.copy(find_repository().root / "scripts/lock-debian", root / "scripts")
    (folder / "framework.toml").write_text('package = "debian:bash"\n')
    (folder / f"packages.{release}.txt").write_text("bash\n\ncoreutils=0\n")
    debian = TOML.replace("pypi", "debian").replace("requirements.txt", "packages.{release}.txt")
    (root / "frameworks/pascal/language.toml").write_text(debian + '[toolchain]\nrelease = "sid"\n')
    programs = tmp_path / "programs"
    a_program(programs / "docker", f'echo "$@" >>{programs}/arguments')
    a_program(programs / "apt-cache", '[ "$3" = ada ] || printf "Package: $3\\nVersion: 1:$3-1+deb13u2+b1\\n"')
    path = f"{programs}:{os.environ['PATH']}"
    ran = locked(root, "pascal/one", PATH=path)
    assert (ran.returncode, ran.stdout) == (0, f"frameworks/pascal/one/packages.{release}.txt\n"), ran.stderr
    assert (folder / f"packages.{release}.txt").read_text() == "bash=1:bash-1*\ncoreutils=1:coreutils-1*\n"
    asked = (programs / "arguments").read_text()
    assert f"--volume {folder}:/entry --volume {root}/scripts:/scripts:ro debian:sid-slim sh -c apt-get " in asked
    assert asked.endswith("/scripts/lock-debian /entry\n")
    (folder / f"packages.{release}.txt").write_text("ada\n")
    ran = locked(root, "pascal/one", PATH=path)
    assert ran.returncode == 1
    assert f"Debian {release} has no package ada, or apt-get update was never run" in ran.stderr
    assert (folder / f"packages.{release}.txt").read_text() == "ada\n"
    (folder / f"packages.{release}.txt").rename(folder / "packages.sid.txt")
    ran = locked(root, "pascal/one", PATH=path)
    assert ran.returncode == 0, ran.stderr
    assert [path.name for path in folder.glob("packages.*.txt")] == ["packages.sid.txt"], "no other release is wanted"


def test_a_new_entry_that_cannot_be_locked_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = root / "frameworks/pascal/template"
    (template / "src").mkdir(parents=True)
    (template / "src/app.pas").write_text("{{ as it is }}")
    (template / "framework.toml.j2").write_text('title = "{{ title }}"\n')
    for name in ("one", "two"):
        shutil.rmtree(root / "frameworks/pascal" / name)
    shutil.rmtree(root / "frameworks/basic")
    (root / "fixtures").mkdir()
    shutil.copy(find_repository().frameworks / "python/packages.py", root / "frameworks/pascal")
    write_lock(root, FAILS)
    monkeypatch.setenv("RESTBENCH_ROOT", str(root))
    with pytest.raises(BuildError, match="could not be locked") as raised:
        scaffold("pascal/my-framework")
    assert "no such package" in raised.value.detail.splitlines()
    made = root / "frameworks/pascal/my-framework"
    assert not made.exists()
    write_lock(root, UNREACHABLE)
    with pytest.raises(
        UnreachableError, match=r"could not be locked: https://packages.example.org \(ENOTFOUND\): check"
    ):
        scaffold("pascal/my-framework")
    assert not made.exists()
    write_lock(root, WRITES)
    scaffold("pascal/my-framework")
    assert (made / "framework.toml").read_text() == 'title = "My Framework"\n'
    assert (made / "src/app.pas").read_text() == "{{ as it is }}"
    assert (made / "requirements.txt").exists()


def test_a_new_entry_may_be_written_into_a_folder_of_its_own(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    template = root / "frameworks/pascal/template"
    template.mkdir()
    (template / "framework.toml.j2").write_text('title  = "{{ title }}" # run make lock FRAMEWORK=pascal/{{ name }}\n')
    write_lock(root, WRITES)
    (root / "frameworks/pascal/shared").mkdir()
    for name in ("one", "two"):
        shutil.rmtree(root / "frameworks/pascal" / name)
    shutil.rmtree(root / "frameworks/basic")
    (root / "fixtures").mkdir()
    shutil.copy(find_repository().frameworks / "python/packages.py", root / "frameworks/pascal")
    monkeypatch.setenv("RESTBENCH_ROOT", str(root))
    monkeypatch.chdir(tmp_path)
    scaffold("pascal/mine", Path("own"))
    made = tmp_path / "own/mine"
    assert (made / "framework.toml").read_text() == (
        f'language= "pascal"\ntitle  = "Mine" # run make lock FRAMEWORK={made}\n'
    )
    assert (made / "requirements.txt").exists()
    assert not (root / "frameworks/pascal/mine").exists()
    assert f"verify {made}, then" in capsys.readouterr().out
    with pytest.raises(UsageError, match="own/mine is there already"):
        scaffold("pascal/mine", Path("own"))
    (made / "requirements.txt").unlink()
    ran = locked(root, str(made))
    assert (ran.returncode, ran.stdout) == (0, f"{made}/requirements.txt\n"), ran.stderr
    write_lock(root, FAILS)
    assert locked(root, str(made)).returncode != 0


def test_a_language_without_a_template_says_where_to_read_on() -> None:
    with pytest.raises(UsageError, match=r"there is no template for ada; known: cpp, .*; docs/ADDING-A-LANGUAGE\.md"):
        scaffold("ada/aws")
