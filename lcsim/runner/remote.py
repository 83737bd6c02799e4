"""The worker's side: one unit of a run, played in another process than the run's, maybe far away.

What arrives is plain values: a parcel (`experiment/parcel.py`), from which a process makes the plan
once, and the unit. The rows go to the shared folder from here; what goes back is the unit's result
alone. Failures go back in it, with the paths of the sender's files.
"""

import functools
import hashlib
import os
import queue
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lcsim.errors import LcsimError, StrategyError, UsageError
from lcsim.experiment import Plan, WorkUnit
from lcsim.experiment.parcel import open_parcel
from lcsim.rules.underway import contain
from lcsim.runner.fork_unit import ForkResult, play_fork_unit, read_fork_unit
from lcsim.runner.unit import UnitResult, play_unit, read_unit
from lcsim.runner.watchdog import limit_thread
from lcsim.store.files import read_file
from lcsim.store.run_dir import MANIFEST
from lcsim.strategy import compile_strategy, load_engines

PLAY, READ, PLAY_FORKS, READ_FORKS = "play", "read", "play forks", "read forks"

Header = tuple[bytes, str, str, float, tuple[str, ...], str]
"""A run: parcel, folder or "", digest of its manifest, limit of a decision in seconds or 0,
folders of strategies, and which process sends it."""

Order = tuple[str, int, tuple[str, int, int, int], str]
"""One unit: what to do, its number in the plan, the fields of a `WorkUnit`, its part or ""."""

Result = UnitResult | ForkResult

_GRACE = 5.0  # seconds in which the answer leaves a process that has to end
_preparing = threading.Lock()


def name_process() -> str:
    """Return what this process is called in messages."""
    return f"process {os.getpid()} on {socket.gethostname()}"


def play_order(header: Header, order: Order) -> Result:
    """Play one unit, or read it back; whatever fails is in the result.

    A strategy that overruns the limit of a decision fails, too. Where it is compiled and cannot be
    stopped, this process ends a few seconds later, unless the run itself lives in it.
    """
    _, _, _, limit, folders, sender = header
    if not limit:
        return _play(header, order)
    answers: queue.SimpleQueue[Result] = queue.SimpleQueue()
    thread = threading.Thread(target=lambda: answers.put(_play(header, order)), daemon=True)

    def end(error: StrategyError) -> None:
        _restore_paths(error, _find_paths(header[0]))
        answers.put(_fail(order, error))
        if sender != name_process():
            timer = threading.Timer(_GRACE, os._exit, (error.exit_code,))
            timer.daemon = True
            timer.start()

    thread.start()
    with limit_thread(thread, limit, end=end, folders=tuple(map(Path, folders))):
        return answers.get()


def digest_manifest(folder: str) -> str:
    """Return the digest of the manifest that lies in a run's folder."""
    return hashlib.sha256(read_file(Path(folder) / MANIFEST)).hexdigest()


def _play(header: Header, order: Order) -> Result:
    parcel, folder, seal, *_ = header
    do, number, fields, part = order
    try:
        with contain():
            if folder:
                _check_folder(folder, seal)
            plan, _ = _prepare(parcel)
            unit = WorkUnit(*fields)
            plan = replace(plan, units=(unit,), fork_units=(unit,))
            result = _answer(do, plan, parcel, Path(part) if part else None)
        error = result.error
    except UsageError as refusal:
        refusal.message = f"the worker {name_process()} cannot play: {refusal.message}"
        return _fail(order, refusal)
    except LcsimError as known:
        result, error = _fail(order, known), known
    except Exception as fault:
        what = f"{type(fault).__name__}: {fault}"
        return _fail(order, LcsimError(f"the worker {name_process()} met a fault: {what}"))
    if error is not None:
        _restore_paths(error, _find_paths(parcel))
    return replace(result, number=number)


def _answer(do: str, plan: Plan, parcel: bytes, part: Path | None) -> Result:
    if do == PLAY:
        return play_unit(plan, 0, _compile(parcel), part=part)
    assert part is not None, do
    if do == READ:
        return read_unit(plan, 0, part=part)
    if do == PLAY_FORKS:
        return play_fork_unit(plan, 0, _compile(parcel), part=part)
    return read_fork_unit(plan, 0, part=part)


def _fail(order: Order, error: LcsimError) -> Result:
    do, number, *_ = order
    if do in (PLAY, READ):
        return UnitResult(number, None, error=error)
    return ForkResult(number, error=error)


def _prepare(parcel: bytes) -> tuple[Plan, Mapping[str, str]]:
    with _preparing:  # one thread of a process opens a parcel, the others wait for it
        return _open(parcel)


def _compile(parcel: bytes) -> Sequence[Any]:
    with _preparing:
        return _compile_plan(parcel)


@functools.lru_cache(maxsize=16)
def _open(parcel: bytes) -> tuple[Plan, Mapping[str, str]]:
    return open_parcel(parcel)


@functools.lru_cache(maxsize=16)
def _compile_plan(parcel: bytes) -> Sequence[Any]:
    plan, _ = _open(parcel)
    load_engines(plan.kind, plan.strategies)
    return [compile_strategy(strategy) for strategy in plan.strategies]


@functools.lru_cache(maxsize=16)
def _check_folder(folder: str, seal: str) -> None:
    """Raise UsageError unless this machine sees the run's folder, with that very manifest."""
    try:
        is_same = digest_manifest(folder) == seal
        reason = "another run lies there"
    except OSError as error:
        is_same, reason = False, (error.strerror or str(error)).lower()
    if not is_same:
        raise UsageError(
            f"it does not see the run in {folder}: {reason}",
            hint="Let --out name a folder that all workers share, under the same path everywhere.",
        )


def _find_paths(parcel: bytes) -> Mapping[str, str]:
    try:
        return _open(parcel)[1]
    except LcsimError:
        return {}


def _restore_paths(error: LcsimError, paths: Mapping[str, str]) -> None:
    """Name the sender's files in an error, where it names copies of them."""
    for copy, original in paths.items():
        error.message = error.message.replace(copy, original)
        error.hint = error.hint.replace(copy, original)
    if isinstance(error, StrategyError) and error.path is not None:
        error.path = Path(paths.get(str(error.path), error.path))
