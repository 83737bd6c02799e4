"""Workers of a cluster: an existing Dask or Ray scheduler gets the units of a run.

Both are optional (the extra `cluster`) and imported only when they are asked for. Their schedulers
send a lost worker's units to others, as often as they are set to; this room only reports the end.
"""

import importlib
import logging
import os
from collections.abc import Callable
from typing import Any, ClassVar

from lcsim.errors import UsageError, WorkerError
from lcsim.runner.futures import LostError, RemoteBackend, Sender

CONNECT_SECONDS = 20.0
"""Seconds to wait for a scheduler to answer, and then for its first worker."""


_LOST = "scheduler-connection-lost"  # Dask's word


class DaskBackend(RemoteBackend):
    """The workers of a Dask scheduler: `address` is tcp://HOST:PORT, or a scheduler file (.json).

    `jobs` is how many units are played at once; as many as the workers have threads when None.
    """

    is_here: ClassVar[bool] = False
    tries: ClassVar[int] = 1

    def __init__(self, address: str, jobs: int | None = None) -> None:
        distributed = _import("distributed", "dask")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # losses are told of here
        where = {"scheduler_file" if address.endswith(".json") else "address": address}
        try:
            self._client = distributed.Client(
                **where, timeout=CONNECT_SECONDS, set_as_default=False, name="lcsim"
            )
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"no Dask scheduler answers at {address}: {error or type(error).__name__}",
                hint="Start one with `dask scheduler`, and give the address that it prints, such "
                "as --scheduler tcp://host:8786.",
            ) from error
        self.jobs = jobs or self._count_threads(address)

    def _count_threads(self, address: str) -> int:
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError as error:
            self.close()
            raise UsageError(
                f"the Dask scheduler at {address} has no worker",
                hint=f"Start workers with `dask worker {address}`, then give the command again.",
            ) from error
        return sum(self._client.nthreads().values())

    def _open(self, task: Callable[[Any], Any]) -> Sender:
        return _DaskSender(self._client, task)

    def close(self) -> None:
        """Leave the scheduler; what it was still asked for is given up."""
        self._client.close()


class _DaskSender:
    def __init__(self, client: Any, task: Callable[[Any], Any]) -> None:
        self._client, self._task = client, task

    def send(self, item: Any) -> Any:
        return self._client.submit(self._task, item, pure=False)

    def fetch(self, future: Any) -> Any:
        try:
            return future.result()
        except Exception as error:
            is_cut = isinstance(error, OSError)  # the line to the scheduler: a unit's own are told
            if is_cut or _LOST in str(error) or self._client.status != "running":
                raise WorkerError(
                    "the Dask scheduler was lost in the middle of the run",
                    hint="Start it and its workers again. Finished units are kept with --out: give "
                    "the same command again to go on.",
                ) from error
            raise _explain(error, "Dask") from error

    def cancel(self, futures: list[Any]) -> None:
        if futures and self._client.status == "running":
            self._client.cancel(futures)


class RayBackend(RemoteBackend):
    """The workers of a Ray cluster; of one on this machine for as long as it is needed without it.

    `jobs` is how many units are played at once; as many as the cluster has CPUs when None.
    """

    is_here: ClassVar[bool] = False
    tries: ClassVar[int] = 1

    def __init__(self, address: str | None, jobs: int | None = None) -> None:
        self._ray = _import("ray", "ray")
        self._was_here = self._ray.is_initialized()
        options: dict[str, Any] = {"address": address or os.environ.get("RAY_ADDRESS")}
        if options["address"] is None:
            options = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
        try:
            if not self._was_here:
                self._ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"no Ray cluster answers at {options['address']}: {error}",
                hint="Start one with `ray start --head`, and give the address that it prints, such "
                "as --scheduler host:6379.",
            ) from error
        self.jobs = jobs or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _open(self, task: Callable[[Any], Any]) -> Sender:
        return _RaySender(self._ray, task)

    def close(self) -> None:
        """Leave the cluster, and end it where it was started here."""
        if not self._was_here:
            self._ray.shutdown()


class _RaySender:
    def __init__(self, ray: Any, task: Callable[[Any], Any]) -> None:
        self._ray = ray
        self._play = ray.remote(_call)
        self._task = ray.put(task)  # stored once; each worker's machine fetches it once

    def send(self, item: Any) -> Any:
        return self._play.remote(self._task, item)

    def fetch(self, future: Any) -> Any:
        try:
            return self._ray.get(future)
        except Exception as error:
            raise _explain(error, "Ray") from error

    def cancel(self, futures: list[Any]) -> None:
        for future in futures:
            self._ray.cancel(future)


def _call(task: Callable[[Any], Any], item: Any) -> Any:
    return task(item)


def _import(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"--backend {package} needs the package {module}, which is not installed",
            hint="Install lcsim with the extra `cluster`: pip install 'lcsim[cluster]'.",
        ) from error


def _explain(error: Exception, scheduler: str) -> Exception:
    """Return what to raise for an exception that is not of a unit, which has its own in its result.

    It is the scheduler's: a unit has cost too many workers, the scheduler is gone, or a worker
    cannot make sense of what arrives.
    """
    name, text = type(error).__name__, str(error).strip().splitlines()
    missing: BaseException | None = error
    while missing is not None and not isinstance(missing, ImportError):
        missing = missing.__cause__
    if missing is not None:
        return WorkerError(
            f"a worker of {scheduler} lacks what a unit needs: {missing}",
            hint="Install the same lcsim on every worker, and start the workers again.",
        )
    return LostError(f"{scheduler} gave a unit up ({name}{': ' + text[0] if text else ''})")
