"""Base images get the digests that a registry has, which is here one on this machine."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from restbench.containers.images import base_images
from restbench.system.repository import find_repository
from tests.unit.repositories import git

PROGRAM = find_repository().root / "scripts/pin-images"
pytestmark = pytest.mark.needs("docker")


@dataclass
class Registry:
    """A registry (OCI Distribution Specification 1.1). `tags`: an image's name and tag → its manifest."""

    address: str
    tags: dict[str, bytes] = field(default_factory=dict)

    def has(self, image: str, size: int) -> str:
        """Puts an image into it. Returns the digest."""
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.index.v1+json",
            "manifests": [],
            "annotations": {"size": str(size)},
        }
        self.tags[image] = json.dumps(manifest).encode()
        return _digest(self.tags[image])


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@pytest.fixture
def registry() -> Iterator[Registry]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _, _, rest = self.path.partition("/v2/")
            name, _, reference = rest.partition("/manifests/")
            known = {f"{image.partition(':')[0]}@{_digest(found)}": found for image, found in made.tags.items()}
            content = made.tags.get(f"{name}:{reference}", known.get(f"{name}@{reference}"))
            if rest and content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.oci.image.index.v1+json")
            self.send_header("Content-Length", str(len(content or b"")))
            self.send_header("Docker-Content-Digest", _digest(content or b""))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content or b"")

        do_HEAD = do_GET  # noqa: N815 - the library wants this name

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = Registry(f"127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, daemon=True).start()
        yield made
        server.shutdown()


@pytest.fixture
def root(tmp_path: Path, registry: Registry) -> Path:
    """A repository with two Dockerfiles."""
    at = registry.address
    (tmp_path / "a").mkdir()
    (tmp_path / "a/Dockerfile").write_text(
        f"FROM --platform=$BUILDPLATFORM {at}/debian:trixie-slim AS build\nRUN x\n"
        f"FROM build\nFROM {at}/debian:trixie-slim\n"
    )
    (tmp_path / "Dockerfile").write_text(f"FROM {at}/python:3.13-slim AS packages\nCOPY --from=packages /a /b\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    return tmp_path


def pinned(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "RESTBENCH_ROOT": str(root)}
    return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False)


def texts(root: Path) -> list[str]:
    return [(root / name).read_text() for name in ("a/Dockerfile", "Dockerfile")]


def test_each_base_image_gets_the_digest_of_its_tag(root: Path, registry: Registry) -> None:
    before = texts(root)
    debian, python = registry.has("debian:trixie-slim", 1), registry.has("python:3.13-slim", 2)
    ran = pinned(root)
    assert ran.returncode == 0, ran.stderr
    assert base_images(root / "a/Dockerfile") == [f"{registry.address}/debian:trixie-slim@{debian}"]
    assert base_images(root / "Dockerfile") == [f"{registry.address}/python:3.13-slim@{python}"]
    assert "FROM build\n" in texts(root)[0]
    assert f"FROM --platform=$BUILDPLATFORM {registry.address}/debian:trixie-slim@{debian} AS build\n" in texts(root)[0]

    newer = registry.has("debian:trixie-slim", 3)
    assert pinned(root, "a/Dockerfile").returncode == 0
    assert base_images(root / "a/Dockerfile") == [f"{registry.address}/debian:trixie-slim@{newer}"]
    assert pinned(root, "--remove").returncode == 0
    assert texts(root) == before


def test_a_registry_that_lacks_an_image_changes_no_file(root: Path, registry: Registry) -> None:
    before = texts(root)
    registry.has("debian:trixie-slim", 1)
    ran = pinned(root)
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"{registry.address}/python:3.13-slim: ")
    assert line.endswith("nothing was written")
    assert texts(root) == before


def test_without_buildx_the_remedy_is_said(root: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "git", "sed", "sort", "dirname", "env"):
        (programs / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(programs), "RESTBENCH_ROOT": str(root)}
    ran = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 3
    assert ran.stderr == "docker buildx is missing: install it with: apt-get install docker-buildx\n"
