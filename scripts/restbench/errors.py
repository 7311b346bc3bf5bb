"""The errors that end a command, or that end the part of one entry in a command.

A message is one line that says what happened and what to change. A CatalogError has one such line for each mistake.
`detail` holds further lines for the reader, such as the last lines of an app's log. `restbench --help` documents the
exit codes.
"""


class RestbenchError(Exception):
    """The base class of all errors that are shown without a traceback."""

    exit_code = 1

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail.rstrip()


class UsageError(RestbenchError):
    """The request is wrong, such as a name that does not exist."""

    exit_code = 2


class CatalogError(RestbenchError):
    """A manifest or fixture has mistakes. `mistakes` holds one line for each, with file, key and remedy."""

    exit_code = 2

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class MissingToolError(RestbenchError):
    """This machine lacks something that the command needs."""

    exit_code = 3


class ResultsError(RestbenchError):
    """Results could not be read or written. Results that were there before are unchanged."""

    exit_code = 4


class UnwritableError(ResultsError):
    """A file cannot be written."""


class EntryError(RestbenchError):
    """One entry failed, and the others go on. The cells of the entry are published as failed, with this message."""


class BuildError(EntryError):
    """The entry's environment or image could not be made."""


class MachineError(EntryError):
    """This machine or a server failed, and not the entry: nothing is known about the entry itself.

    Its cells are published as not measured, with this message, and figures that they had before stay.
    """

    exit_code = 3


class UnreachableError(MachineError):
    """The server that the build gets packages from cannot be reached, or answers with an error of its own."""


class FullDiskError(MachineError):
    """There is no room on the disk."""


class SlowBuildError(MachineError):
    """The build ran out of time. In two runs in a row, it is a failure of the entry."""


class StartError(EntryError):
    """The app did not start, or its port is taken."""


class AppDiedError(EntryError):
    """The app exited while it was needed."""


class BackendError(RestbenchError):
    """The backend of a suite is unavailable on this machine, or it was lost. The other suites are still run."""

    exit_code = 3


class ToolError(MachineError):
    """A program that loads apps failed, or one that makes the link to them: it died, or its report cannot be read.

    It may have failed once only, so it is tried again before the entry is given up.
    """


class LoadError(RestbenchError):
    """Load brought no answers, or not in time: there are no figures. An app that still runs is at fault."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or SIGTERM ended the command. All that was started has been stopped, and all measured rounds are kept.

    It is not a subclass of Exception, so that a library that catches every Exception does not swallow it.
    """

    exit_code = 130

    def __init__(self, message: str = "interrupted: everything that was started has been stopped") -> None:
        super().__init__(message)
        self.message = message
