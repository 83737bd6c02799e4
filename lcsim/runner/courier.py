"""The run's side of workers elsewhere: writes the orders that `remote.py` plays."""

import functools
from collections.abc import Generator, Iterable

from lcsim.experiment import Plan
from lcsim.experiment.parcel import pack_plan
from lcsim.runner.backends import Backend
from lcsim.runner.remote import (
    PLAY_FORKS,
    READ_FORKS,
    Header,
    Order,
    Result,
    digest_manifest,
    name_process,
    play_order,
)
from lcsim.runner.watchdog import find_limit
from lcsim.store import RunDir


class Courier:
    """Sends units of a run, whose manifest is written, to a backend with workers elsewhere."""

    def __init__(self, plan: Plan, run: RunDir | None, backend: Backend) -> None:
        self._plan = plan
        self._run = run
        self._backend = backend
        folder = str(run.path.resolve()) if run else ""
        header: Header = (
            pack_plan(plan),
            folder,
            digest_manifest(folder) if folder else "",
            find_limit() or 0.0,
            tuple(map(str, plan.folders)),
            name_process(),
        )
        self._task = functools.partial(play_order, header)

    def send(self, do: str, numbers: Iterable[int]) -> Generator[Result, None, None]:
        """Yield the results of units in the order of their numbers, sent as workers get free."""
        yield from self._backend.run(self._task, (self._write(do, one) for one in numbers))

    def _write(self, do: str, number: int) -> Order:
        is_fork = do in (PLAY_FORKS, READ_FORKS)
        unit = (self._plan.fork_units if is_fork else self._plan.units)[number]
        part = ""
        if self._run is not None:
            run = self._run
            path = run.find_fork_part(unit.id) if is_fork else run.find_part(unit.id)
            part = str(path.resolve())
        return do, number, (unit.id, unit.matchup, unit.first_deal, unit.n_deals), part


def hire_courier(plan: Plan, run: RunDir | None, backend: Backend) -> Courier | None:
    """Return who sends units to the backend's workers; None where they live in this process."""
    return Courier(plan, run, backend) if backend.is_remote else None
