"""A time limit for a strategy's decision: who never answers is named, and what it holds up ends.

Plain Python is interrupted where it is, and its error has the line. A compiled strategy runs
without the GIL and cannot be stopped: there the process has to end, which is the caller's to do.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lcsim.errors import StrategyBrokeError, StrategyError
from lcsim.experiment.command import write_replay_command
from lcsim.rules.underway import UNDER_WAY, Decision, OverrunError

DECISION_LIMIT = 10.0
"""Seconds that a strategy may take for one decision, unless it is given more."""

_SLOW = 0.1  # the share of the limit at which a strategy is told of as slow
_LONGEST_WAIT = 0.25  # seconds between two looks
_LOOKS = 20  # at least, within the limit
_PATIENCE = 8  # times the limit may pass while a thread waits instead of computing

End = Callable[[StrategyError], None]
_watched = threading.Lock()
_in_force: list[float] = []


@dataclass(slots=True)
class _Look:
    """A decision as it was first seen: at which count, and what the clocks read then."""

    decision: Decision
    count: int
    computed: float
    passed: float


@contextmanager
def limit_decisions(
    seconds: float,
    *,
    end: End | None = None,
    tell: Callable[[str], None] | None = None,
    folders: Sequence[Path] = (),
) -> Iterator[None]:
    """Hold every decision of this process to `seconds` while the body runs.

    What counts is the computing time of the thread that decides, or an eighth of the time that
    passes where that is more; where the system does not tell it (it does on Linux), all the time
    that passes. Inside another limit, that one stays in force.

    Args:
        seconds: the limit; a tenth of it is called slow.
        end: called from another thread with the error of a strategy that cannot be interrupted;
            it should end the process. When None, such a strategy goes on.
        tell: called with a sentence about a strategy that is slow, once for each.
        folders: those of `--strategies`, for the command that replays the game.
    """
    if not _watched.acquire(blocking=False):
        yield
        return
    _in_force.append(seconds)
    try:
        with _watching(_Watchdog(seconds, end, tell, folders)):
            yield
    finally:
        _in_force.pop()
        _watched.release()


def find_limit() -> float | None:
    """Return the limit in force in this process, in seconds; None where there is none."""
    return _in_force[-1] if _in_force else None


@contextmanager
def limit_thread(
    thread: threading.Thread, seconds: float, *, end: End, folders: Sequence[Path] = ()
) -> Iterator[None]:
    """Hold the decisions of one thread to `seconds` while the body runs; see `limit_decisions`.

    Other threads may have limits of their own at the same time.
    """
    with _watching(_Watchdog(seconds, end, None, folders, thread)):
        yield


@contextmanager
def _watching(watchdog: "_Watchdog") -> Iterator[None]:
    stop = threading.Event()
    watcher = threading.Thread(target=watchdog.watch, args=(stop,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


class _Watchdog:
    def __init__(
        self,
        limit: float,
        end: End | None,
        tell: Callable[[str], None] | None,
        folders: Sequence[Path],
        thread: threading.Thread | None = None,  # the only one that is watched
    ) -> None:
        self.thread = thread
        self.limit, self.end, self.tell, self.folders = limit, end, tell, folders
        self.wait = min(_LONGEST_WAIT, limit / _LOOKS)
        self.looks: dict[int, _Look] = {}
        self.told: set[Path | None] = set()
        self.has_clock = _read_clock(threading.get_native_id()) is not None
        self.passed = 0.0  # seconds, of those in which this process ran at all

    def watch(self, stop: threading.Event) -> None:
        """Look at what is under way again and again, until `stop` is set."""
        last = time.monotonic()
        while not stop.wait(self.wait):
            now = time.monotonic()
            self.passed += min(now - last, 2 * self.wait)  # a process that slept has not decided
            last = now
            under_way = {
                key: decision
                for key, decision in UNDER_WAY.copy().items()
                if self.thread is None or decision.thread == self.thread.ident
            }
            self.looks = {key: self.looks[key] for key in self.looks.keys() & under_way.keys()}
            for key, decision in under_way.items():
                self._look(key, decision)

    def _look(self, key: int, decision: Decision) -> None:
        count = decision.count()
        computed = _read_clock(decision.native_id) if self.has_clock else self.passed
        look = self.looks.get(key)
        if computed is None:
            return  # its thread has ended
        if look is None or look.decision is not decision or look.count != count:
            self.looks[key] = _Look(decision, count, computed, self.passed)
            return
        limit = self.limit * decision.share
        taken = max(computed - look.computed, (self.passed - look.passed) / _PATIENCE)
        if taken < _SLOW * limit:
            return
        overrun = type(OverrunError.__name__, (OverrunError,), {"limit": self.limit})()
        error = decision.blame(overrun)
        if decision.count() != count or UNDER_WAY.get(key) is not decision:
            return  # it has answered
        if taken < limit:
            self._tell(decision, error, taken / decision.share)
        elif decision.is_plain and decision.overrun is None:
            decision.interrupt(self.limit)
            self.looks[key] = _Look(decision, count, computed, self.passed)  # to take notice
        elif self.end is not None:
            error.hint = self._write_hint(decision, error) or error.hint
            self.end(error)

    def _tell(self, decision: Decision, error: StrategyError, seconds: float) -> None:
        """Say once that a strategy is slow."""
        if self.tell is None or error.path in self.told:
            return
        self.told.add(error.path)
        limit = f"{seconds:.2g} s so far, and the limit is {self.limit:g} s"
        if not isinstance(error, StrategyBrokeError):  # nobody plays yet
            self.tell(f"warning: importing {error.path} has taken {limit}")
            return
        where = ""
        if decision.game:
            spec = decision.game[2][error.strategy]
            where = f", {spec} in deal {error.deal}, rotation {error.rotation}"
        self.tell(f"warning: a decision has taken {limit}: {error.path}, line {error.line}{where}")

    def _write_hint(self, decision: Decision, error: StrategyError) -> str:
        if decision.game is None or not isinstance(error, StrategyBrokeError):
            return ""
        ruleset, seed, specs = decision.game
        command = write_replay_command(
            specs,
            ruleset=ruleset.spec,
            seed=seed,
            deal=error.deal,
            rotation=error.rotation,
            folders=map(str, self.folders),
        )
        return f"replay that game up to that turn: {command}"


def _read_clock(native_id: int) -> float | None:
    """Return how many seconds a thread of this process has computed; None where nobody knows."""
    try:
        text = Path(f"/proc/self/task/{native_id}/schedstat").read_text("ascii")
        return int(text.split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return None
