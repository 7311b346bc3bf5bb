"""Images of this repository: what each is made from, and whether the engine has it already."""

import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from restbench.containers.engine import COMMAND_SECONDS, docker, inspect_image, owner_label, remove
from restbench.system.owners import unique_name
from restbench.system.processes import end_if_cancelled, output_of

FILES_LABEL = "restbench.files"


class CacheUse(StrEnum):
    """What a build does with the layers that GitHub's cache keeps."""

    OFF = "off"
    READ = "read"
    WRITE = "write"


_FROM = re.compile(r"^FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<stage>\S+))?\s*$", re.IGNORECASE | re.MULTILINE)


def base_images(dockerfile: Path) -> list[str]:
    """Returns the images that a Dockerfile starts from, with their tags and digests, each once and in its order.

    Stages that start from an earlier stage have no image of their own.
    """
    images: dict[str, None] = {}
    stages: set[str] = set()
    for found in _FROM.finditer(dockerfile.read_text(encoding="utf-8")):
        if found["image"] not in stages:
            images[found["image"]] = None
        if found["stage"]:
            stages.add(found["stage"])
    return list(images)


@dataclass(frozen=True)
class Image:
    """What an image is made from.

    `files` is a hash of the files that it is made from. It is a label of the image, so that an image of other files is
    not taken for this one. `stage` is the stage of the Dockerfile, the last one where it is None. `arguments` are those
    of the build.
    """

    tag: str
    context: Path
    dockerfile: Path
    files: str
    stage: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> dict[str, str]:
        return {FILES_LABEL: self.files}

    def built(self) -> Any:
        """Returns the engine's description of the image, None where the engine has it not, or has it of other files."""
        found = inspect_image(self.tag)
        labels = (found["Config"]["Labels"] or {}) if found else {}
        return found if self.labels.items() <= labels.items() else None

    def files_bytes(self) -> int:
        """Returns the bytes of all files of the image, those of its base included, and each hard link once.

        An engine's own figure depends on its store: it is that of compressed layers, of unpacked ones, or of both.
        Raises subprocess.SubprocessError, OSError, tarfile.TarError, and CancelledError where CANCEL is set.
        """
        container = unique_name("size")
        try:
            docker("create", "--pull=never", "--network=none", "--name", container, "--label", owner_label(), self.tag)
            command = ["docker", "export", container]
            with output_of(command, COMMAND_SECONDS) as exported, tarfile.open(fileobj=exported, mode="r|") as files:
                size = 0
                for file in files:
                    end_if_cancelled()
                    size += file.size if file.isreg() else 0
                return size
        finally:
            remove([container])

    def build_command(self) -> list[str]:
        """Returns the docker command that builds the image."""
        return [
            "docker",
            "build",
            f"--tag={self.tag}",
            f"--file={self.dockerfile}",
            *([f"--target={self.stage}"] if self.stage else []),
            *(f"--label={name}={value}" for name, value in self.labels.items()),
            *(f"--build-arg={name}={value}" for name, value in self.arguments.items()),
            str(self.context),
        ]
