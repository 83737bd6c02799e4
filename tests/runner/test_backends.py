"""Backends: answers in the order of the items, and closing one takes no more items."""

import threading
import time

import pytest

from lcsim.runner.backends import ThreadBackend


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_answers_come_in_order(jobs):
    def task(item: int) -> int:
        time.sleep(0.002 * (item % 3))
        return -item

    assert list(ThreadBackend(jobs).run(task, range(40))) == [-item for item in range(40)]
    assert list(ThreadBackend(jobs).run(task, [])) == []


@pytest.mark.parametrize("jobs", [1, 3])
def test_items_are_taken_as_they_are_needed(jobs):
    taken, running = [], threading.Semaphore(0)

    def items():
        for item in range(10**6):
            taken.append(item)
            yield item

    answers = ThreadBackend(jobs).run(lambda item: running.release() or item, items())
    assert [next(answers) for _ in range(5)] == [0, 1, 2, 3, 4]
    answers.close()
    after_closing = len(taken)
    assert after_closing < 10**6
    time.sleep(0.05)
    assert len(taken) == after_closing


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_the_task_is_raised(jobs):
    def task(item: int) -> int:
        return 1 // (3 - item)

    with pytest.raises(ZeroDivisionError):
        list(ThreadBackend(jobs).run(task, range(10)))
