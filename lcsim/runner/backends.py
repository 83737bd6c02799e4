"""Who runs the units: threads of this process, behind an interface for workers elsewhere."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import ClassVar, Protocol, TypeVar

from lcsim.errors import CountError

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Backend(Protocol):
    """Runs a task for many items in parallel.

    Where its workers are in other processes (`is_remote`), task, items and answers are pickled.
    Where they are on this machine (`is_here`), they find what has been compiled here.
    """

    is_remote: ClassVar[bool]
    is_here: ClassVar[bool]
    jobs: int

    def close(self) -> None:
        """Let go of the workers."""

    def run(self, task: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Yield the task's answers in the order of the items, which are taken as workers get free.

        Closing the iterator stops taking items and waits for those that have been taken.
        """


class ThreadBackend:
    """joblib threads: right for compiled strategies, which run without the GIL."""

    is_remote: ClassVar[bool] = False
    is_here: ClassVar[bool] = True

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def close(self) -> None:
        """Do nothing: threads end with their work."""

    def run(self, task: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Yield the task's answers in the order of the items."""
        if self.jobs == 1:
            yield from map(task, items)
            return
        import joblib

        parallel = joblib.Parallel(
            n_jobs=self.jobs,
            backend="threading",
            return_as="generator",
            pre_dispatch="2*n_jobs",
            batch_size=1,
        )
        closed = threading.Event()
        chosen = takewhile(lambda _: not closed.is_set(), items)
        answers = parallel(joblib.delayed(task)(item) for item in chosen)
        try:
            for answer in answers:  # noqa: UP028  `yield from` would close the answers first
                yield answer
        finally:
            closed.set()
            deque(answers, maxlen=0)  # let the workers finish what they have begun


def check_jobs(jobs: int | None) -> int:
    """Return the number of workers: all cores for None; raises CountError below 1."""
    if jobs is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if jobs < 1:
        raise CountError(f"jobs: {jobs} is below 1", hint="give the number of workers to play with")
    return jobs
