"""The entry point of the `restbench` command."""

import os
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line. Ctrl-C while it is imported ends the process without a traceback.

    In a locale that is not UTF-8, Python starts anew in its UTF-8 mode: arguments, variables and names of files are
    decoded before any code runs, so only this mode can give them an encoding. Files are opened with theirs all the
    same, as tests and scripts import the modules that open them.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606
    from restbench import cli

    cli.main()


if __name__ == "__main__":
    main()
