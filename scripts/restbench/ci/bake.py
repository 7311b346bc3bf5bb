"""The images of a job as a file for docker/bake-action (docs.docker.com, "Bake file reference").

There are two groups. `own` are the images of the job's entries, and of their versions in the base checkout. Many jobs
need the images of `shared`: the reference, the baselines and the backend. A run builds them once, into a cache.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from restbench.backends.docker import solr_images
from restbench.catalog import Catalog, Entry
from restbench.containers.images import CacheUse, Image
from restbench.system.repository import Repository
from restbench.targets.docker import image_of


def bake_file(own: Sequence[Image], shared: Sequence[Image], root: Path, cache: CacheUse) -> dict[str, Any]:
    """Returns the content of the file. Paths are relative to `root`. An image may be in both groups."""
    images = {_name(image): image for image in [*shared, *own]}
    written = {CacheUse.WRITE_OWN: own, CacheUse.WRITE_SHARED: shared}.get(cache, ())
    return {
        "group": {
            "own": {"targets": [_name(image) for image in own]},
            "shared": {"targets": [_name(image) for image in shared]},
        },
        "target": {
            name: {
                "context": str(image.context.relative_to(root)),
                # relative to the context, unlike with docker build
                "dockerfile": str(image.dockerfile.relative_to(image.context)),
                **({"target": image.stage} if image.stage else {}),
                "args": {name: _literal(value) for name, value in dict(image.arguments).items()},
                "labels": {name: _literal(value) for name, value in image.labels.items()},
                "tags": [image.tag],
                **({"cache-from": [_cache(image)]} if cache is not CacheUse.OFF else {}),
                **({"cache-to": [f"{_cache(image)},mode=max,ignore-error=true"]} if image in written else {}),
            }
            for name, image in images.items()
        },
    }


def own_images(entries: Iterable[Entry]) -> list[Image]:
    """Returns the images of the entries. An entry without a Dockerfile has none: verify then says what is missing."""
    return [image_of(entry) for entry in entries if entry.dockerfile().is_file()]


def shared_images(entries: Sequence[Entry], suites: list[str], catalog: Catalog, repository: Repository) -> list[Image]:
    """Returns the images of the reference, of the entries' baselines, and of the backend of their cells."""
    partners = {partner.id: partner for entry in entries if (partner := catalog.baseline_of(entry))}
    reference = [catalog.reference] if catalog.reference else []
    needs_backend = any(entry.needs_backend(cell) for entry in entries for cell in entry.cells(suites))
    return own_images([*reference, *partners.values()]) + (solr_images(repository) if needs_backend else [])


def _name(image: Image) -> str:
    """The name of the image's target: "restbench/python-falcon:base" is python-falcon-base."""
    repository, _, version = image.tag.removeprefix("restbench/").partition(":")
    return repository if version in ("", "latest") else f"{repository}-{version}"


def _literal(text: str) -> str:
    """The text as bake reads it: in its files, "${" and "%{" begin templates (HCL's JSON syntax, "Expressions")."""
    return text.replace("${", "$${").replace("%{", "%%{")


def _cache(image: Image) -> str:
    """The scope of an image's layers. Versions of an entry share one."""
    return f"type=gha,scope={image.tag.removeprefix('restbench/').partition(':')[0]}"
