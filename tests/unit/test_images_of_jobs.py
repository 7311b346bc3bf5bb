"""The images of a job are described as Docker's actions build them, and as the harness looks for them."""

import json
import shutil
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.ci.images import bake_file, own_images, shared_images
from restbench.commands.ci import bake
from restbench.containers.images import CacheUse
from restbench.system.repository import Repository, find_repository
from restbench.targets.docker import image_of
from tests.made.small import small_repository

REPOSITORY = small_repository()


def baked(
    catalog: Catalog, name: str, suites: list[str], cache: CacheUse = CacheUse.OFF, root: Path = REPOSITORY.root
) -> dict[str, dict[str, Any]]:
    """The targets of a job of an entry, in the suites."""
    entry = catalog.entries[name]
    shared = shared_images([entry], suites, catalog, REPOSITORY)
    content = bake_file(shared, root, cache, own_images(entry, catalog, None, shared))
    assert content["group"]["shared"]["targets"] == [target for target in content["target"] if target != "head"]
    return dict(content["target"])


def test_an_entry_is_built_from_what_the_harness_builds_it_from_and_needs_its_baseline(catalog: Catalog) -> None:
    assert baked(catalog, "python/flask", ["hello"]) == {
        target: {
            "context": "frameworks/python",
            "dockerfile": "Dockerfile",
            "args": {"FRAMEWORK": name},
            "labels": image_of(catalog.entries[f"python/{name}"]).labels,
            "tags": [f"restbench/python-{name}:latest"],
        }
        for target, name in {"head": "flask", "python-falcon": "falcon"}.items()
    }


def test_a_baseline_is_built_once(catalog: Catalog) -> None:
    assert list(baked(catalog, "python/falcon", ["hello"])) == ["python-falcon"]


@pytest.mark.needs("docker")
@pytest.mark.parametrize("address", ["mine=https://h/%{x}/", "mine=https://h/${x}", "mine=https://h/%%{x}$${y}%20"])
def test_addresses_reach_the_builder_as_they_are(address: str, catalog: Catalog, tmp_path: Path) -> None:
    """Checked by the builder itself, whose files have templates."""
    image = replace(image_of(catalog.entries["python/falcon"]), arguments={"REMOTE": address})
    (tmp_path / "bake.json").write_text(json.dumps(bake_file([image], REPOSITORY.root, CacheUse.OFF)))
    command = ["docker", "buildx", "bake", "--print", "--file", str(tmp_path / "bake.json"), "shared"]
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
    (target,) = bake_file([image_of(entry)], tmp_path, CacheUse.OFF)["target"].values()
    assert (target["context"], target["dockerfile"]) == (".", "falcon/Dockerfile")


def test_an_image_has_the_name_of_its_code_as_an_argument(catalog: Catalog) -> None:
    assert baked(catalog, "python/flask-twice", [])["head"]["args"] == {"FRAMEWORK": "flask-twice", "CODE": "flask"}


@pytest.mark.parametrize(
    ("cache", "read", "written"),
    [
        (CacheUse.OFF, False, False),
        (CacheUse.READ, True, False),
        (CacheUse.WRITE, True, True),
    ],
)
def test_layers_are_kept_by_the_entry(catalog: Catalog, cache: CacheUse, *, read: bool, written: bool) -> None:
    """Base and head share them. What hosted runners get: GitHub's cache, with the layers of all stages.

    The job that plans a run writes those that jobs share, and a job those of its own image.
    """
    flask, falcon = "type=gha,scope=python-flask", "type=gha,scope=python-falcon"
    entry, baseline = catalog.entries["python/flask"], image_of(catalog.entries["python/falcon"])
    own = own_images(entry, catalog, catalog, [])
    assert own["base"].tag == "restbench/python-flask:base"
    planned = bake_file([baseline], REPOSITORY.root, cache)["target"]
    targets = bake_file([baseline], REPOSITORY.root, cache, own, baseline)["target"]
    assert [targets[name].get("cache-from") for name in ("head", "base")] == [[flask, falcon] if read else None] * 2
    assert [targets[name].get("cache-to") for name in ("head", "base")] == [cache_to(flask) if written else None] * 2
    assert "cache-to" not in targets["python-falcon"]
    assert targets["python-falcon"].get("cache-from") == ([falcon] if read else None)
    assert planned["python-falcon"].get("cache-to") == (cache_to(falcon) if written else None)


def cache_to(scope: str) -> list[str]:
    return [f"{scope},mode=max,ignore-error=true"]


def test_the_workflow_gets_what_the_harness_builds_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    bake(["php/api-platform-apache"], ["hello"], cache=CacheUse.WRITE)
    targets = json.loads(capsys.readouterr().out)["target"]
    assert outputs(tmp_path / "outputs") == {"own": "head"}
    assert set(targets) == {"head", "php-symfony", "reference-nginx"}
    assert targets["head"]["cache-from"] == ["type=gha,scope=php-api-platform-apache", "type=gha,scope=php-symfony"]
    assert targets["head"]["args"] == {"FRAMEWORK": "api-platform-apache", "CODE": "api-platform-nginx"}


def outputs(path: Path) -> dict[str, str]:
    """The outputs of a step, as GitHub reads the file."""
    lines, found = iter(path.read_text().splitlines()), {}
    for line in lines:
        name, _, end = line.partition("<<")
        found[name] = "\n".join(iter(partial(next, lines), end))
    return found


def test_what_a_base_lacks_has_no_image(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, base = Repository(tmp_path / "head"), tmp_path / "head/base"
    shutil.copytree(REPOSITORY.root, repository.root)
    shutil.copytree(REPOSITORY.root, base)
    shutil.rmtree(base / "frameworks/python/flask")
    monkeypatch.setattr("restbench.commands.ci.find_repository", lambda: repository)
    bake(["python/flask"], base=base)
    assert "base" not in json.loads(capsys.readouterr().out)["target"]
    bake(["python/falcon"], base=base)
    found = json.loads(capsys.readouterr().out)["target"]["base"]
    assert (found["tags"], found["context"]) == (["restbench/python-falcon:base"], "base/frameworks/python")
