"""The `lcsim` script's first step: until a command runs, Ctrl-C ends the process in silence."""

import signal


def main() -> None:
    """Run the command line. While it is imported there is nothing to save or to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from lcsim.cli import app

    app.main()
