"""The time limit of decisions on the command line: who overruns it is named, and it ends."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, Protocol

from lcsim.cli.output import say
from lcsim.errors import StrategyError


class Line(Protocol):
    """A line on the terminal."""

    def stop(self) -> None:
        """Wipe it."""


@contextmanager
def limit_decisions(
    seconds: float | None,
    *,
    folders: Sequence[Path] | None = (),
    out: Path | None = None,
    progress: Line | None = None,
) -> Iterator[None]:
    """Hold decisions to `seconds`, or the usual limit; what cannot be interrupted ends the process.

    `out` is where finished units are kept; `progress` is wiped before anything is said.
    """
    from lcsim.runner.watchdog import DECISION_LIMIT
    from lcsim.runner.watchdog import limit_decisions as limit

    def end(error: StrategyError) -> NoReturn:
        if progress is not None:
            with suppress(Exception):
                progress.stop()
        say(f"lcsim: {error.message}")
        kept = f"what was finished is kept in {out}" if out and out.exists() else ""
        for hint in filter(None, (error.hint, kept)):
            say(f"  {hint}")
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(error.exit_code)  # the strategy runs on, and nothing else can stop it

    with limit(seconds or DECISION_LIMIT, end=end, tell=say, folders=folders or ()):
        yield
