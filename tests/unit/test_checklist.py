"""What restbench can tell of a framework's pull request by itself."""

import shutil
from pathlib import Path

import pytest

from restbench.commands.checklist import checklist
from restbench.errors import CatalogError, MissingToolError, UsageError
from restbench.system.repository import find_repository
from tests.unit.repositories import git

PYTHON = find_repository().frameworks / "python"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with Falcon on main, where this is a branch."""
    real = find_repository()
    for name in ("Dockerfile", "language.toml", "packages.py"):
        (tmp_path / "frameworks/python").mkdir(parents=True, exist_ok=True)
        shutil.copy(PYTHON / name, tmp_path / "frameworks/python" / name)
    shutil.copytree(PYTHON / "falcon", tmp_path / "frameworks/python/falcon")
    shutil.copytree(real.fixtures, tmp_path / "fixtures")
    shutil.copy(real.root / "pyproject.toml", tmp_path)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "The first")
    git(tmp_path, "switch", "--quiet", "-c", "mine")
    monkeypatch.setenv("RESTBENCH_ROOT", str(tmp_path))
    return tmp_path


def committed(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Mine")


def test_a_finished_entry_is_ticked_throughout(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "frameworks/python/falcon/notes.md").write_text("more")
    committed(root)
    assert checklist("python/falcon", "main", verify=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("- [x] ") for line in lines)
    assert "- [x] nothing outside of its folder changes" in lines


def test_what_is_open_says_what_is_missing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / "frameworks/python/falcon"
    manifest = folder / "framework.toml"
    kept = [line for line in manifest.read_text().splitlines() if not line.startswith(("solr", "workload"))]
    manifest.write_text("\n".join(kept) + "\n# step 6: workload = true\n")
    (root / "fixtures/hello/more.txt").write_text("x")
    committed(root)
    assert checklist("python/falcon", "main", verify=False) == 1
    out = capsys.readouterr().out
    assert "- [ ] no step of the template is left: framework.toml" in out
    assert "- [ ] it takes part in every suite that its framework can: not in solr, workload" in out
    assert "- [ ] nothing outside of its folder changes: fixtures/hello/more.txt" in out


@pytest.mark.parametrize("more", [[], ["eagle"]])
def test_the_first_entries_of_a_language_bring_the_languages_files(
    root: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    snake = root / "frameworks/snake"
    shutil.copytree(root / "frameworks/python", snake)
    for name in more:
        shutil.copytree(snake / "falcon", snake / name)
        manifest = snake / name / "framework.toml"
        manifest.write_text(manifest.read_text().replace('"Falcon"', f'"{name.title()}"'))
    committed(root)
    checklist("snake/falcon", "main", verify=False)
    assert "- [x] nothing outside of its folder changes" in capsys.readouterr().out


def test_a_broken_lint_rule_is_told_with_file_line_and_remedy(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = root / "frameworks/python/falcon/jobs.py"
    module.write_text("import falcon\n\nimport registry\nfrom shared import work\n\n\ndef of(id: int) -> object:\n")
    with module.open("a") as file:
        file.write("    return [ id, falcon, registry, work ]\n")
    assert checklist("python/falcon", None, verify=False) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "lint rules" in line]
    assert line.startswith("- [ ] it keeps the lint rules: frameworks/python/falcon/jobs.py:7:8: A002 ")
    assert "; frameworks/python/falcon/jobs.py:8:13: unformatted: " in line
    assert line.endswith("; fix what can be fixed automatically with: make format")


def test_a_module_of_any_name_is_the_entrys_own(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / "frameworks/python/falcon"
    (folder / "jobs.py").write_text("DONE = 1\n")
    (folder / "more.py").write_text("import falcon\n\nimport jobs\n\nBOTH = (falcon, jobs)\n")
    checklist("python/falcon", None, verify=False)
    assert "- [x] it keeps the lint rules" in capsys.readouterr().out


def test_the_template_keeps_the_lint_rules(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (PYTHON / "template/app.py.j2").read_text().replace("{{ title }}", "Demo").replace("{{ name }}", "demo")
    (root / "frameworks/python/falcon/demo.py").write_text(text)
    checklist("python/falcon", None, verify=False)
    assert "- [x] it keeps the lint rules" in capsys.readouterr().out


def test_without_ruff_it_is_said_what_brings_it(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("restbench.commands.lint.RUFF", root / "ruff")
    assert checklist("python/falcon", None, verify=False) == 0
    assert "- [ ] it keeps the lint rules: ruff is missing: install it with: make lint" in capsys.readouterr().out


def test_what_changes_outside_is_counted_where_it_is_not_shown(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(7):
        (root / f"fixtures/{number}.txt").write_text("x")
    committed(root)
    checklist("python/falcon", "main", verify=False)
    assert "fixtures/4.txt and 2 more" in capsys.readouterr().out


def test_a_framework_that_cannot_take_part_everywhere_may_stay_away(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = root / "frameworks/python/falcon/framework.toml"
    manifest.write_text("\n".join(line for line in manifest.read_text().splitlines() if not line.startswith("solr")))
    committed(root)
    assert checklist("python/falcon", "main", verify=False) == 0
    assert "- [ ] it takes part in every suite that its framework can: not in solr" in capsys.readouterr().out


def test_what_this_machine_cannot_run_is_not_verified(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def verify(*_: object) -> int:
        raise MissingToolError("there is no compiler")

    monkeypatch.setattr("restbench.commands.checklist.verify_entries", verify)
    assert checklist("python/falcon", "main", verify=True) == 1
    assert "- [ ] it keeps the contract: there is no compiler" in capsys.readouterr().out


def test_a_broken_manifest_is_told_by_its_mistakes(root: Path) -> None:
    (root / "frameworks/python/falcon/framework.toml").write_text('title = "Falcon"\n')
    with pytest.raises(CatalogError, match=r"falcon/framework\.toml"):
        checklist("python/falcon", None, verify=False)


def test_what_is_not_there_is_told(root: Path) -> None:
    with pytest.raises(UsageError, match="there is no framework python/nothing here: restbench new python/nothing"):
        checklist("python/nothing", None, verify=False)
