"""The entry point of the `restbench` command."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line. Ctrl-C while it is imported ends the process without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from restbench import cli

    cli.main()


if __name__ == "__main__":
    main()
