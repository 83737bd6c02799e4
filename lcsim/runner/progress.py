"""The progress line on stderr, on a terminal only."""

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lcsim.stats.estimate import Moments
from lcsim.stats.paired import compare_scores
from lcsim.stats.rounding import format_estimate

if TYPE_CHECKING:
    from rich.progress import TaskID

_REFRESHES = 4  # a second

FORK_GAMES = 12
"""Games that a game with its moves forked is taken for: about as many are played for it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a run stands; `games` are the moments so far of the matchup being played.

    They are None while its moves are forked: those games have been played before.
    """

    n_games: int
    n_games_planned: int
    rounds_per_second: float
    matchup: str
    games: Moments | None


class Progress(Protocol):
    """Shows how a run goes on."""

    def start(self) -> None:
        """Begin to show."""

    def update(self, snapshot: Snapshot) -> None:
        """Show where the run stands now."""

    def stop(self) -> None:
        """Leave the terminal clean."""


class NoProgress:
    """Shows nothing: for pipes, tests and library use."""

    def start(self) -> None:
        """Do nothing."""

    def update(self, snapshot: Snapshot) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


class LineProgress:
    """One line: share done, time left, rounds a second, the matchup and its difference so far."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[speed]}"),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=_REFRESHES,
        )
        self._task: TaskID = self._bar.add_task("starting", total=None, speed="")
        self._due = 0.0

    def start(self) -> None:
        """Begin to draw."""
        self._bar.start()

    def update(self, snapshot: Snapshot) -> None:
        """Draw the snapshot at the next refresh; more often than that would be wasted."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + 1 / _REFRESHES
        self._bar.update(
            self._task,
            completed=snapshot.n_games,
            total=snapshot.n_games_planned,
            speed=f"{snapshot.rounds_per_second:,.0f} rounds/s",
            description=_describe(snapshot),
        )

    def stop(self) -> None:
        """Wipe the line."""
        self._bar.stop()


def _describe(snapshot: Snapshot) -> str:
    if snapshot.games is None:
        return f"{snapshot.matchup}: forking moves"
    difference = compare_scores(snapshot.games, 0, 1)
    shown = format_estimate(difference.mean, difference.se, signed=True)
    return f"{snapshot.matchup}: {shown} points a game"


def build_progress() -> Progress:
    """Return the progress line where stderr is a terminal, and nothing elsewhere."""
    return LineProgress() if sys.stderr.isatty() else NoProgress()
