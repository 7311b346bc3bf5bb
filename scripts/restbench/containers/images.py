"""Images of this repository: what each is made from, and whether the engine has it already."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from restbench.containers.engine import inspect_image

FILES_LABEL = "restbench.files"


class CacheUse(StrEnum):
    """What a build does with the layers that GitHub's cache keeps."""

    OFF = "off"
    READ = "read"
    WRITE_OWN = "write-own"
    WRITE_SHARED = "write-shared"


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
