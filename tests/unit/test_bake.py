"""The images of a job are described as docker/bake-action builds them, and as the harness looks for them."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from restbench.catalog import Catalog, load_catalog
from restbench.ci.bake import bake_file, own_images, shared_images
from restbench.compare.changes import base_of
from restbench.containers.images import CacheUse
from restbench.system.repository import find_repository
from restbench.targets.docker import image_of
from tests.unit.small import small_repository

REPOSITORY = small_repository()


def baked(
    catalog: Catalog, name: str, suites: list[str], cache: CacheUse = CacheUse.OFF
) -> dict[str, dict[str, object]]:
    """The targets of one entry and of what it needs, in the suites."""
    entries = [catalog.entries[name]]
    shared = shared_images(entries, suites, catalog, REPOSITORY)
    content = bake_file(own_images(entries), shared, REPOSITORY.root, cache)
    assert {name for group in content["group"].values() for name in group["targets"]} == set(content["target"])
    return dict(content["target"])


def test_an_entry_is_built_with_its_baseline(catalog: Catalog) -> None:
    targets = baked(catalog, "python/flask", ["hello"])
    assert set(targets) == {"python-flask", "python-falcon"}
    flask = catalog.entries["python/flask"]
    assert targets["python-flask"] == {
        "context": "frameworks/python",
        "dockerfile": "Dockerfile",
        "args": {"FRAMEWORK": "flask"},
        "labels": image_of(flask).labels,
        "tags": ["restbench/python-flask:latest"],
    }


@pytest.mark.needs("docker")
@pytest.mark.parametrize("address", ["mine=https://h/%{x}/", "mine=https://h/${x}", "mine=https://h/%%{x}$${y}%20"])
def test_addresses_reach_the_builder_as_they_are(address: str, catalog: Catalog, tmp_path: Path) -> None:
    """Checked by the builder itself, whose files have templates."""
    image = replace(image_of(catalog.entries["python/falcon"]), arguments={"REMOTE": address})
    (tmp_path / "bake.json").write_text(json.dumps(bake_file([image], [], REPOSITORY.root, CacheUse.OFF)))
    command = ["docker", "buildx", "bake", "--print", "--file", str(tmp_path / "bake.json"), "own"]
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
    (target,) = bake_file(own_images([entry]), [], tmp_path, CacheUse.OFF)["target"].values()
    assert (target["context"], target["dockerfile"]) == (".", "falcon/Dockerfile")


def test_an_entry_without_a_dockerfile_has_no_image(catalog: Catalog, tmp_path: Path) -> None:
    falcon = catalog.entries["python/falcon"]
    assert own_images([replace(falcon, language=replace(falcon.language, folder=tmp_path))]) == []


def test_an_image_is_told_whose_code_it_gets(catalog: Catalog) -> None:
    arguments = baked(catalog, "python/flask-twice", ["hello"])["python-flask-twice"]["args"]
    assert arguments == {"FRAMEWORK": "flask-twice", "CODE": "flask"}


def test_a_base_has_an_image_of_its_own(catalog: Catalog) -> None:
    base = base_of(catalog.entries["python/falcon"], catalog)
    assert base is not None
    (image,) = own_images([base])
    assert image.tag == "restbench/python-falcon:base"
    assert set(bake_file([image], [], REPOSITORY.root, CacheUse.OFF)["target"]) == {"python-falcon-base"}


@pytest.mark.parametrize(
    ("cache", "written"),
    [
        (CacheUse.OFF, set()),
        (CacheUse.READ, set()),
        (CacheUse.WRITE_OWN, {"python-flask"}),
        (CacheUse.WRITE_SHARED, {"python-falcon"}),
    ],
)
def test_each_layer_is_written_to_the_cache_by_one_job(catalog: Catalog, cache: CacheUse, written: set[str]) -> None:
    targets = baked(catalog, "python/flask", ["hello"], cache)
    assert {name for name, target in targets.items() if "cache-to" in target} == written
    assert all(("cache-from" in target) is (cache is not CacheUse.OFF) for target in targets.values())
