"""Every error that ends a command, or one entry's part in it.

Each message is one line that says what happened and what to change; `detail` holds what a person reads after it,
such as the last lines of an app's log. The exit codes are documented in `restbench --help`.
"""


class RestbenchError(Exception):
    """Base of all errors that are shown without a traceback."""

    exit_code = 1

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail.rstrip()


class UsageError(RestbenchError):
    """The command asks for something that does not exist."""

    exit_code = 2


class CatalogError(RestbenchError):
    """A manifest or fixture has mistakes; `mistakes` holds one line each: file, key, remedy."""

    exit_code = 2

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class MissingToolError(RestbenchError):
    """This machine lacks something that the command cannot do without."""

    exit_code = 3


class ResultsError(RestbenchError):
    """Results could not be read or written; what was there before is untouched."""

    exit_code = 4


class UnwritableError(ResultsError):
    """A file cannot be written."""


class EntryError(RestbenchError):
    """One entry cannot go on; the others can. Its cells are published as failed, with this message."""


class BuildError(EntryError):
    """The entry's environment or image could not be made."""


class StartError(EntryError):
    """The app did not come up, or the port it was to have is taken."""


class AppDiedError(EntryError):
    """The app exited while it was needed."""


class BackendError(RestbenchError):
    """What a suite needs beside the app cannot be had here, or was lost: the suite is not run, the others are."""

    exit_code = 3


class LoadError(RestbenchError):
    """The load generator itself failed: its figures cannot be had."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or SIGTERM: everything started has been stopped, what was measured is kept.

    It is no RestbenchError, nor any other Exception: a library that catches all of these must not swallow it.
    """

    exit_code = 130

    def __init__(self, message: str = "interrupted: everything that was started has been stopped") -> None:
        super().__init__(message)
        self.message = message
