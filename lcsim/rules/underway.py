"""Which decisions are under way in this process, for whoever watches how long they take.

There is no clock here. A kernel signs in for the time of a call and a referee for each decision; a
watcher reads `UNDER_WAY` from a thread of its own, and interrupts what is plain Python. Whatever
foreign code raises, `contain` makes an error of it that ends nothing but the decision.
"""

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lcsim.errors import StrategyError


class OverrunError(Exception):
    """Raised in the middle of a strategy that takes too long; `limit` is in seconds."""

    limit = 0.0

    def __str__(self) -> str:
        return f"no answer within {self.limit:g} s, the limit of a decision"


Blame = Callable[[OverrunError], StrategyError]


@dataclass(slots=True, eq=False)
class Decision:
    """What one thread is doing: `count()` rises from decision to decision.

    `blame` makes the error of whoever is deciding now. `game` is (ruleset, seed, specs by number),
    where there is one. Plain Python can be interrupted; `overrun` is what it was interrupted with.
    `share` is how many times the limit it may take.
    """

    blame: Blame
    count: Callable[[], int]
    game: tuple[Any, int, Sequence[str]] | None = None
    is_plain: bool = False
    share: int = 1
    overrun: type[OverrunError] | None = None
    thread: int = field(default_factory=threading.get_ident)
    native_id: int = field(default_factory=threading.get_native_id)

    def interrupt(self, limit: float) -> None:
        """Raise OverrunError in the thread, at the line where it is; only for plain Python."""
        self.overrun = type(OverrunError.__name__, (OverrunError,), {"limit": limit})
        _raise_in(self.thread, self.overrun)


UNDER_WAY: dict[int, Decision] = {}


@contextmanager
def sign_in(decision: Decision) -> Iterator[None]:
    """Let a watcher see the decision while the body runs.

    Raises OverrunError where the body was interrupted, also when that came too late to reach it.
    """
    UNDER_WAY[id(decision)] = decision
    try:
        yield
    except OverrunError:
        decision.overrun = None
        raise
    finally:
        UNDER_WAY.pop(id(decision), None)
        if decision.overrun is not None:
            _raise_in(decision.thread, None)
            raise decision.overrun


def decide_plainly(
    blame: Blame, game: tuple[Any, int, Sequence[str]] | None = None, share: int = 1
) -> Any:
    """Return the context of a decision in plain Python."""
    return sign_in(Decision(blame, lambda: 0, game, is_plain=True, share=share))


@contextmanager
def contain() -> Iterator[None]:
    """Raise ValueError for whatever the body raises that is no Exception, such as SystemExit.

    Those would end a thread in silence or the process with its exit code. Ctrl-C alone passes: the
    user's reaches the main thread, where a strategy cannot name what it raises.
    """
    try:
        yield
    except Exception:
        raise
    except BaseException as error:
        is_main = threading.current_thread() is threading.main_thread()
        if isinstance(error, KeyboardInterrupt) and is_main:
            raise
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise ValueError(text).with_traceback(error.__traceback__) from error


def _raise_in(thread: int, error: type[OverrunError] | None) -> None:
    """Have a thread raise `error` at its next step, or nothing after all."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error else None
    )
