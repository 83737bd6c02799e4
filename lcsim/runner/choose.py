"""Which backend plays a run: the one that is asked for, or the one that suits its strategies."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lcsim.errors import UnknownNameError, UsageError
from lcsim.experiment import Plan
from lcsim.runner.backends import Backend, ThreadBackend, check_jobs
from lcsim.runner.futures import ProcessBackend
from lcsim.strategy.base import BATCH

THREADS, PROCESSES, DASK, RAY = "threads", "processes", "dask", "ray"
BACKENDS: Sequence[str] = (THREADS, PROCESSES, DASK, RAY)


def choose_backend(plan: Plan, jobs: int | None) -> Backend:
    """Return threads, or processes where a batch strategy takes part, which threads would queue."""
    n_jobs = check_jobs(jobs)
    if n_jobs > 1 and any(strategy.form == BATCH for strategy in plan.strategies):
        return ProcessBackend(n_jobs)
    return ThreadBackend(n_jobs)


@contextmanager
def open_backend(
    name: str | None, scheduler: str | None, jobs: int | None, plan: Plan
) -> Iterator[Backend]:
    """Open the backend of that name, or the one that suits the plan, while the body runs.

    Raises:
        UnknownNameError: there is no backend of that name.
        UsageError: the scheduler is missing, does not answer or has no workers, or a package is
            not installed.
    """
    backend = _open(name, scheduler, jobs, plan)
    try:
        yield backend
    finally:
        backend.close()


def _open(name: str | None, scheduler: str | None, jobs: int | None, plan: Plan) -> Backend:
    if name is not None and name not in BACKENDS:
        raise UnknownNameError("backend", name, BACKENDS)
    if scheduler is not None and name not in (DASK, RAY):
        raise UsageError(
            f"--scheduler {scheduler} is for a cluster, and the backend is {name or 'not given'}",
            hint=f"Add --backend {DASK} or --backend {RAY}.",
        )
    if name is None:
        return choose_backend(plan, jobs)
    if name == THREADS:
        return ThreadBackend(check_jobs(jobs))
    if name == PROCESSES:
        return ProcessBackend(check_jobs(jobs))
    from lcsim.runner.clusters import DaskBackend, RayBackend

    if name == RAY:
        return RayBackend(scheduler, jobs)
    if scheduler is None:
        raise UsageError(
            "--backend dask needs the address of a scheduler",
            hint="Start one with `dask scheduler`, and give the address that it prints, such as "
            "--scheduler tcp://host:8786.",
        )
    return DaskBackend(scheduler, jobs)
