"""The server that an entry's packages come from, where a user can name another one."""

import os
import re
from dataclasses import dataclass

import httpx

from restbench.catalog import Entry
from restbench.catalog.manifests import REMOTE
from restbench.errors import UsageError

_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class PackageServer:
    """A server of packages. `named`: NAME=URL from the user's environment, None where `usual` is used."""

    title: str
    variable: str
    usual: str
    named: str | None

    @property
    def address(self) -> str:
        """Its NAME=URL."""
        return self.named or self.usual

    def unreachable_reason(self) -> str | None:
        """Asks the server. Returns why it cannot be used, in one clause with the remedy, or None."""
        remedy = f"name another with {self.variable}=NAME=URL"
        try:
            answer = httpx.get(self.address.partition("=")[2], timeout=_PATIENCE_SECONDS, follow_redirects=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return f"cannot be reached ({str(error) or type(error).__name__}): {remedy}"
        return f"answers {answer.status_code}: {remedy}" if answer.is_server_error else None


def remote_of(entry: Entry) -> PackageServer | None:
    """Returns the server of an entry's package manager; None where nobody can name another.

    Raises UsageError where the user's variable is not NAME=URL.
    """
    language = entry.language.manifest
    manager = language.package_managers.get(language.registry)
    if manager is None or manager.remote is None:
        return None
    remote = manager.remote
    named = os.environ.get(remote.variable) or None
    if named and not re.match(REMOTE, named):
        raise UsageError(f"{remote.variable} is {named!r}: write NAME=URL, such as {remote.default}")
    return PackageServer(remote.title, remote.variable, remote.default, named)
