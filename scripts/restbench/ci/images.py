"""The images of a job, for docker/bake-action, which builds them on GitHub.

The action reads a file (docs.docker.com, "Bake file reference"), so that the workflows repeat nothing of what the
harness builds from. Many jobs need the images of the reference, the baselines and the backend: they share these.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from restbench.backends.docker import solr_images
from restbench.catalog import Catalog, Entry
from restbench.changes.touched import base_of
from restbench.containers.images import CacheUse, Image
from restbench.system.repository import Repository
from restbench.targets.docker import image_of


def bake_file(
    shared: Sequence[Image],
    root: Path,
    cache: CacheUse,
    own: Mapping[str, Image] | None = None,
    alike: Image | None = None,
) -> dict[str, Any]:
    """Returns the content of a file for docker/bake-action. Paths are relative to `root`.

    `shared` are those of its group "shared". `own` are the images of a job, by target: beside them, nothing is written
    of those that jobs share. `alike`: an image whose first layers are the same, such as that of the language's
    baseline. Where the cache has nothing of an image of the job, these are taken.
    """
    of_shared = cache if own is None or cache is CacheUse.OFF else CacheUse.READ
    return {
        "group": {"shared": {"targets": [_name(image) for image in shared]}},
        "target": {
            **{_name(image): _target(image, root, of_shared) for image in shared},
            **{name: _target(image, root, cache, alike) for name, image in (own or {}).items()},
        },
    }


def _target(image: Image, root: Path, cache: CacheUse, alike: Image | None = None) -> dict[str, Any]:
    scopes = list(dict.fromkeys(_cache_from(each) for each in (image, alike) if each))
    return {
        "context": str(image.context.relative_to(root)),
        # relative to the context, unlike with docker build
        "dockerfile": str(image.dockerfile.relative_to(image.context)),
        **({"target": image.stage} if image.stage else {}),
        "args": {name: _literal(value) for name, value in image.arguments.items()},
        "labels": {name: _literal(value) for name, value in image.labels.items()},
        "tags": [image.tag],
        **({"cache-from": scopes} if cache is not CacheUse.OFF else {}),
        **({"cache-to": [f"{_cache_from(image)},mode=max,ignore-error=true"]} if cache is CacheUse.WRITE else {}),
    }


def own_images(entry: Entry, catalog: Catalog, before: Catalog | None, shared: Sequence[Image]) -> dict[str, Image]:
    """Returns the images of an entry that are not among the shared ones: `head` and, with a catalog of before, `base`.

    There is none of a version that has no Dockerfile, and none of before where that lacks the entry.
    """
    versions = {"head": entry, "base": base_of(entry, catalog, before) if before else None}
    images = {
        name: image_of(version) for name, version in versions.items() if version and version.dockerfile().is_file()
    }
    return {name: image for name, image in images.items() if image not in shared}


def shared_images(entries: Sequence[Entry], suites: list[str], catalog: Catalog, repository: Repository) -> list[Image]:
    """Returns the images of the reference, of the entries' baselines, and of the backend of their cells."""
    partners = {partner.id: partner for entry in entries if (partner := catalog.baseline_of(entry))}
    reference = [catalog.reference] if catalog.reference else []
    needs_backend = any(entry.needs_backend(cell) for entry in entries for cell in entry.cells(suites))
    # of an entry without a Dockerfile, verify says what is missing
    images = [image_of(entry) for entry in [*reference, *partners.values()] if entry.dockerfile().is_file()]
    return images + (solr_images(repository) if needs_backend else [])


def _name(image: Image) -> str:
    """The name of the image's target: "restbench/python-falcon:latest" is python-falcon."""
    return image.tag.removeprefix("restbench/").partition(":")[0]


def _literal(text: str) -> str:
    """The text as bake reads it: in its files, "${" and "%{" begin templates (HCL's JSON syntax, "Expressions")."""
    return text.replace("${", "$${").replace("%{", "%%{")


def _cache_from(image: Image) -> str:
    """The scope of an image's layers. Versions of an entry share one."""
    return f"type=gha,scope={_name(image)}"
