"""The images of a job, for the actions of Docker that build them on GitHub.

docker/build-push-action builds the image of an entry. Its inputs are here, so that the workflows repeat nothing of
what the harness builds from. Many jobs need the images of the reference, the baselines and the backend.
docker/bake-action builds all of these at once, from a file (docs.docker.com, "Bake file reference").
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from restbench.backends.docker import solr_images
from restbench.catalog import Catalog, Entry
from restbench.containers.images import CacheUse, Image
from restbench.system.repository import Repository
from restbench.targets.docker import image_of


def action_inputs(image: Image, root: Path, cache: CacheUse, alike: Image | None = None) -> dict[str, str]:
    """Returns inputs of docker/build-push-action, by their names. Lists have a line for each item.

    Paths are relative to `root`, the folder in which the action runs. `alike`: an image whose first layers are the
    same, such as that of the language's baseline. Where the cache has nothing of the image, these are taken.
    """
    scopes = dict.fromkeys(_cache_from(each) for each in (image, alike) if each)
    return {
        "context": str(image.context.relative_to(root)),
        "file": str(image.dockerfile.relative_to(root)),
        "target": image.stage or "",
        "build-args": _lines(image.arguments),
        "labels": _lines(image.labels),
        "tags": image.tag,
        "cache-from": "\n".join(scopes) if cache is not CacheUse.OFF else "",
        "cache-to": _cache_to(image) if cache is CacheUse.WRITE else "",
    }


def bake_file(images: Sequence[Image], root: Path, cache: CacheUse) -> dict[str, Any]:
    """Returns the content of a file for docker/bake-action. Paths are relative to `root`."""
    return {
        "group": {"default": {"targets": [_name(image) for image in images]}},
        "target": {
            _name(image): {
                "context": str(image.context.relative_to(root)),
                # relative to the context, unlike with docker build
                "dockerfile": str(image.dockerfile.relative_to(image.context)),
                **({"target": image.stage} if image.stage else {}),
                "args": {name: _literal(value) for name, value in dict(image.arguments).items()},
                "labels": {name: _literal(value) for name, value in image.labels.items()},
                "tags": [image.tag],
                **({"cache-from": [_cache_from(image)]} if cache is not CacheUse.OFF else {}),
                **({"cache-to": [_cache_to(image)]} if cache is CacheUse.WRITE else {}),
            }
            for image in images
        },
    }


def shared_images(entries: Sequence[Entry], suites: list[str], catalog: Catalog, repository: Repository) -> list[Image]:
    """Returns the images of the reference, of the entries' baselines, and of the backend of their cells."""
    partners = {partner.id: partner for entry in entries if (partner := catalog.baseline_of(entry))}
    reference = [catalog.reference] if catalog.reference else []
    needs_backend = any(entry.needs_backend(cell) for entry in entries for cell in entry.cells(suites))
    return _with_dockerfile([*reference, *partners.values()]) + (solr_images(repository) if needs_backend else [])


def _with_dockerfile(entries: Iterable[Entry]) -> list[Image]:
    """The images of the entries. An entry without a Dockerfile has none: verify then says what is missing."""
    return [image_of(entry) for entry in entries if entry.dockerfile().is_file()]


def _name(image: Image) -> str:
    """The name of the image's target: "restbench/python-falcon:latest" is python-falcon."""
    return image.tag.removeprefix("restbench/").partition(":")[0]


def _lines(pairs: Mapping[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in pairs.items())


def _literal(text: str) -> str:
    """The text as bake reads it: in its files, "${" and "%{" begin templates (HCL's JSON syntax, "Expressions")."""
    return text.replace("${", "$${").replace("%{", "%%{")


def _cache_from(image: Image) -> str:
    """The scope of an image's layers. Versions of an entry share one."""
    return f"type=gha,scope={_name(image)}"


def _cache_to(image: Image) -> str:
    return f"{_cache_from(image)},mode=max,ignore-error=true"
