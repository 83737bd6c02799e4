"""Workers in other processes: units are sent a few ahead, and lost ones are sent again."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from lcsim.errors import LcsimError, WorkerError
from lcsim.runner.backends import Answer, Item

AHEAD = 3
"""Units a worker that are on their way at once: one is played, the others wait beside it."""

_IDLE = 60  # seconds after which a process with nothing to do ends

Sent = TypeVar("Sent")


@dataclass(slots=True)
class _Flight(Generic[Sent]):
    """An item on its way; `future` is None while it has to be sent (again)."""

    item: Sent
    future: Any = None
    losses: int = 0


class Sender(Protocol):
    """One run's way to the workers."""

    def send(self, item: Any) -> Any:
        """Send an item; return its future."""

    def fetch(self, future: Any) -> Any:
        """Wait for an answer and return it; raises `LostError` where its worker died."""

    def cancel(self, futures: list[Any]) -> None:
        """Give up what has not begun."""


class LostError(Exception):
    """A worker died with a unit, or the way to the workers broke."""


class RemoteBackend:
    """Runs a task in other processes, which a `Sender` reaches.

    Answers come in the order of the items. After a loss one unit alone is sent until it is through,
    so that a unit that kills its worker is known from those that were lost with it.
    """

    is_remote: ClassVar[bool] = True
    is_here: ClassVar[bool] = True
    jobs: int
    tries: ClassVar[int] = 3
    """Workers that a unit may cost before the run ends."""

    def _open(self, task: Callable[[Any], Any]) -> Sender:
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the workers."""

    def run(self, task: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Yield the task's answers in the order of the items."""
        sender = self._open(task)
        under_way: deque[_Flight[Item]] = deque()
        waiting = iter(items)
        try:
            while True:
                room = AHEAD * self.jobs - len(under_way)
                under_way.extend(_Flight(item) for item in islice(waiting, max(0, room)))
                if not under_way:
                    return
                for flight in under_way:
                    if flight.future is None:
                        flight.future = sender.send(flight.item)
                yield self._fetch_first(sender, under_way)
        finally:
            sender.cancel([flight.future for flight in under_way if flight.future is not None])

    def _fetch_first(self, sender: Sender, under_way: "deque[_Flight[Any]]") -> Any:
        first = under_way[0]
        while True:
            try:
                answer = sender.fetch(first.future)
            except LostError as loss:
                first.losses += len([1 for one in under_way if one.future is not None]) == 1
                if first.losses >= self.tries or self.tries == 1:
                    raise _explain_loss(loss, self.tries) from loss
                sender.cancel([one.future for one in under_way if one.future is not None])
                for one in under_way:
                    one.future = None
                first.future = sender.send(first.item)
            else:
                under_way.popleft()
                return answer


class ProcessBackend(RemoteBackend):
    """loky processes on this machine: right for batch strategies, which hold the GIL."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def _open(self, task: Callable[[Any], Any]) -> Sender:
        return _Processes(task, self.jobs)


class _Processes:
    def __init__(self, task: Callable[[Any], Any], jobs: int) -> None:
        self._task, self._jobs = task, jobs

    def send(self, item: Any) -> Any:
        from joblib.externals.loky import get_reusable_executor

        executor = get_reusable_executor(
            max_workers=self._jobs, timeout=_IDLE, initializer=_ignore_interrupts
        )
        return executor.submit(self._task, item)

    def fetch(self, future: Any) -> Any:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        try:
            return future.result()
        except BrokenProcessPool as error:
            raise LostError("a process of this machine ended in the middle of a unit") from error

    def cancel(self, futures: list[Any]) -> None:
        """Give up what has not begun, and wait for the rest: its parts are kept."""
        from concurrent.futures import wait

        wait([future for future in futures if not future.cancel()])


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the one that started the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _explain_loss(loss: LostError, tries: int) -> LcsimError:
    often = f", {tries} times over" if tries > 1 else ""
    return WorkerError(
        f"{loss}{often}",
        hint="Is there memory enough for each worker? Finished units are kept with --out: give "
        "the same command again to go on.",
    )
