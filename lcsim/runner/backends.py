"""Who runs the units: threads of this process for now, behind an interface for other workers."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Backend(Protocol):
    """Runs a task for many items in parallel."""

    jobs: int

    def run(self, task: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Yield the task's answers in the order of the items, which are taken as workers get free.

        Closing the iterator stops taking items and waits for those that have been taken.
        """


class ThreadBackend:
    """joblib threads: right for compiled strategies, which run without the GIL."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

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
