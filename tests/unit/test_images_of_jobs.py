"""The images of a job are described as Docker's actions build them, and as the harness looks for them."""

import json
import shutil
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from restbench.catalog import Catalog, Entry, load_catalog
from restbench.ci.images import action_inputs, bake_file, shared_images
from restbench.commands.ci import image as write_image
from restbench.compare.changes import base_of
from restbench.containers.images import CacheUse
from restbench.system.repository import Repository, find_repository
from restbench.targets.docker import image_of
from tests.made.small import small_repository

REPOSITORY = small_repository()


def baked(
    catalog: Catalog, name: str, suites: list[str], cache: CacheUse = CacheUse.OFF
) -> dict[str, dict[str, object]]:
    """The targets of what an entry needs beside its own image, in the suites."""
    content = bake_file(shared_images([catalog.entries[name]], suites, catalog, REPOSITORY), REPOSITORY.root, cache)
    assert content["group"]["default"]["targets"] == list(content["target"])
    return dict(content["target"])


def inputs_of(entry: Entry, cache: CacheUse = CacheUse.OFF, root: Path = REPOSITORY.root) -> dict[str, str]:
    """The inputs of docker/build-push-action that say something."""
    return {name: value for name, value in action_inputs(image_of(entry), root, cache).items() if value}


def test_an_entry_is_built_from_what_the_harness_builds_it_from(catalog: Catalog) -> None:
    flask = catalog.entries["python/flask"]
    (label,) = image_of(flask).labels.items()
    assert inputs_of(flask) == {
        "context": "frameworks/python",
        "file": "frameworks/python/Dockerfile",
        "build-args": "FRAMEWORK=flask",
        "labels": "=".join(label),
        "tags": "restbench/python-flask:latest",
    }


def test_an_entry_needs_its_baseline(catalog: Catalog) -> None:
    targets = baked(catalog, "python/flask", ["hello"])
    falcon = image_of(catalog.entries["python/falcon"])
    assert targets == {
        "python-falcon": {
            "context": "frameworks/python",
            "dockerfile": "Dockerfile",
            "args": {"FRAMEWORK": "falcon"},
            "labels": falcon.labels,
            "tags": ["restbench/python-falcon:latest"],
        }
    }


@pytest.mark.needs("docker")
@pytest.mark.parametrize("address", ["mine=https://h/%{x}/", "mine=https://h/${x}", "mine=https://h/%%{x}$${y}%20"])
def test_addresses_reach_the_builder_as_they_are(address: str, catalog: Catalog, tmp_path: Path) -> None:
    """Checked by the builder itself, whose files have templates."""
    image = replace(image_of(catalog.entries["python/falcon"]), arguments={"REMOTE": address})
    (tmp_path / "bake.json").write_text(json.dumps(bake_file([image], REPOSITORY.root, CacheUse.OFF)))
    command = ["docker", "buildx", "bake", "--print", "--file", str(tmp_path / "bake.json")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY.root).stdout
    assert json.loads(printed)["target"]["python-falcon"]["args"] == {"REMOTE": address}


def test_the_reference_is_built_for_every_job() -> None:
    repository = find_repository()
    catalog = load_catalog(repository)
    assert catalog.reference is not None
    assert image_of(catalog.reference) in shared_images([], [], catalog, repository)


def test_a_backend_is_built_where_the_suites_need_it(catalog: Catalog) -> None:
    targets = baked(catalog, "python/falcon", ["hello", "solr"])
    assert set(targets) == {"python-falcon", "solr-solr", "solr-cache"}
    assert targets["solr-cache"]["target"] == "cache"
    assert targets["solr-cache"]["tags"] == ["restbench/solr-cache"]


def test_an_entry_with_a_dockerfile_of_its_own_is_built_from_it(catalog: Catalog, tmp_path: Path) -> None:
    falcon = catalog.entries["python/falcon"]
    (tmp_path / "falcon").mkdir()
    (tmp_path / "falcon/Dockerfile").write_text("FROM scratch\n")
    entry = replace(falcon, folder=tmp_path / "falcon", language=replace(falcon.language, folder=tmp_path))
    inputs = inputs_of(entry, root=tmp_path)
    assert (inputs["context"], inputs["file"]) == (".", "falcon/Dockerfile")
    (target,) = bake_file([image_of(entry)], tmp_path, CacheUse.OFF)["target"].values()
    assert (target["context"], target["dockerfile"]) == (".", "falcon/Dockerfile")


def test_an_image_is_told_whose_code_it_gets(catalog: Catalog) -> None:
    assert inputs_of(catalog.entries["python/flask-twice"])["build-args"] == "FRAMEWORK=flask-twice\nCODE=flask"


def test_a_base_has_an_image_of_its_own(catalog: Catalog) -> None:
    base = base_of(catalog.entries["python/falcon"], catalog, catalog)
    assert base is not None
    assert inputs_of(base)["tags"] == "restbench/python-falcon:base"


@pytest.mark.parametrize(
    ("cache", "read", "written"),
    [
        (CacheUse.OFF, False, False),
        (CacheUse.READ, True, False),
        (CacheUse.WRITE, True, True),
    ],
)
def test_layers_are_kept_by_the_entry(catalog: Catalog, cache: CacheUse, *, read: bool, written: bool) -> None:
    """Base and head share them. What hosted runners get: GitHub's cache, with the layers of all stages."""
    scope, rest = "type=gha,scope=python-falcon", ",mode=max,ignore-error=true"
    falcon = catalog.entries["python/falcon"]
    base = base_of(falcon, catalog, catalog)
    assert base is not None
    for entry in (falcon, base):
        inputs = inputs_of(entry, cache)
        assert inputs.get("cache-from") == (scope if read else None)
        assert inputs.get("cache-to") == (scope + rest if written else None)
    (target,) = baked(catalog, "python/flask", ["hello"], cache).values()
    assert target.get("cache-from") == ([scope] if read else None)
    assert target.get("cache-to") == ([scope + rest] if written else None)


def outputs(path: Path) -> dict[str, str]:
    """The outputs of a step, as GitHub reads the file."""
    lines, found = iter(path.read_text().splitlines()), {}
    for line in lines:
        name, _, end = line.partition("<<")
        found[name] = "\n".join(iter(partial(next, lines), end))
    return found


def test_the_workflow_gets_what_the_harness_builds_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    entry = load_catalog(find_repository()).entries["php/api-platform-apache"]
    write_image(entry.id, cache=CacheUse.WRITE)
    found = outputs(tmp_path / "outputs")
    symfony = image_of(load_catalog(find_repository()).entries["php/symfony"])
    assert found == action_inputs(image_of(entry), find_repository().root, CacheUse.WRITE, symfony)
    assert found["cache-from"].splitlines() == ["type=gha,scope=php-api-platform-apache", "type=gha,scope=php-symfony"]
    assert found["build-args"].splitlines() == ["FRAMEWORK=api-platform-apache", "CODE=api-platform-nginx"]


def test_what_a_base_lacks_has_no_image(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, base = Repository(tmp_path / "head"), tmp_path / "head/base"
    shutil.copytree(REPOSITORY.root, repository.root)
    shutil.copytree(REPOSITORY.root, base)
    shutil.rmtree(base / "frameworks/python/flask")
    monkeypatch.setattr("restbench.commands.ci.find_repository", lambda: repository)
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    write_image("python/flask", base=base)
    assert not (tmp_path / "outputs").exists()
    assert capsys.readouterr().out == "python/flask has no image in base\n"
    write_image("python/falcon", base=base)
    found = outputs(tmp_path / "outputs")
    assert (found["tags"], found["context"]) == ("restbench/python-falcon:base", "base/frameworks/python")
