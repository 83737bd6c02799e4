"""The line on a terminal that shows how many worlds have been played."""

import sys
import time

_REFRESHES = 4  # a second


class WorldLine:
    """One line: what is being done, the share of the worlds, and how many."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        self._bar = Progress(
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=_REFRESHES,
        )
        self._task = self._bar.add_task("", total=None)
        self._due = 0.0

    def update(self, what: str, n: int, most: int) -> None:
        """Show that `n` of at most `most` worlds are done."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + 1 / _REFRESHES
            self._bar.start()
            told = f"{what}: {n:,} of at most {most:,} worlds"
            self._bar.update(self._task, completed=n, total=most, description=told)

    def stop(self) -> None:
        """Wipe the line."""
        self._bar.stop()


def build_world_line() -> WorldLine | None:
    """Return the line where stderr is a terminal, and none elsewhere."""
    return WorldLine() if sys.stderr.isatty() else None
