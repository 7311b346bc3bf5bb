"""What a change is tested with."""

import json
from pathlib import Path

import pytest

from restbench.catalog import load_catalog
from restbench.changes.touched import Scope, scope_of
from restbench.commands.ci import scope
from restbench.system.repository import find_repository

CATALOG = load_catalog(find_repository())
EVERYTHING = Scope(everything=True)
FALCON = "frameworks/python/falcon-wsgi/app.py"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], Scope(everything=False)),
        (["README.md", "docs/CONTRACT.md", "results/hello.md", "CONTRIBUTING.md"], Scope(everything=False)),
        (["frameworks/rust/axum/src/main.rs"], Scope(everything=False, entries=["rust/axum"])),
        (["docs/SITE.md", "frameworks/go/gin/go.sum"], Scope(everything=False, entries=["go/gin"])),
        ([FALCON], Scope(everything=False, entries=["python/falcon-wsgi", "python/falcon-wsgi-granian"])),
        (["frameworks/cobol/gone/app.cbl"], Scope(everything=False)),
        (["frameworks/rust/Dockerfile"], EVERYTHING),
        (["frameworks/rust/shared/src/lib.rs"], EVERYTHING),
        (["frameworks/python/template/app.py"], EVERYTHING),
        (["frameworks/reference/nginx/nginx.conf"], EVERYTHING),
        (["frameworks/selections.toml"], EVERYTHING),
        (["scripts/restbench/cli.py", "README.md"], EVERYTHING),
        ([".github/workflows/tests.yml"], EVERYTHING),
        ([".github/renovate.json"], EVERYTHING),
        (["README.md.j2"], EVERYTHING),
        (["a/new/folder/of/somebody"], EVERYTHING),
        (["documents/CONTRACT.md"], EVERYTHING),
    ],
)
def test_documents_need_linters_an_entry_its_image_and_the_rest_everything(paths: list[str], expected: Scope) -> None:
    assert scope_of(paths, CATALOG) == expected


def test_without_a_commit_to_compare_with_everything_is_tested(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    scope()
    assert (tmp_path / "outputs").read_text().splitlines()[1::3] == ["true", "[]"]
    assert capsys.readouterr().out == "everything is tested\n"


def test_the_jobs_get_the_entries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    monkeypatch.setattr("restbench.commands.ci.changed_files", lambda _root, _since: ["frameworks/go/gin/go.sum"])
    scope(since="main")
    everything, entries = (tmp_path / "outputs").read_text().splitlines()[1::3]
    assert (everything, json.loads(entries)) == ("false", ["go/gin"])
