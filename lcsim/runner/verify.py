"""Plays units of a stored run again and compares them with its parts, byte for byte."""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lcsim import __version__
from lcsim.errors import LcsimError, PartError
from lcsim.experiment import Plan
from lcsim.experiment.identity import digest_rules
from lcsim.experiment.rebuild import rebuild_plan
from lcsim.experiment.stored import StoredRun, check_manifest
from lcsim.rules import get_game
from lcsim.runner.backends import Backend
from lcsim.runner.fork_unit import play_fork_unit
from lcsim.runner.unit import play_unit
from lcsim.store import RunDir, check_part, open_run, read_part
from lcsim.strategy import CompiledStrategy, compile_strategy

_SHOWN = 3  # units that differ, named in a message


@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared, and held. Counts are of parts; `n_missing` of units that have none yet.

    `n_rewritten` have the same rows in other bytes, since another polars wrote them; `n_strangers`
    are files that belong to no unit. `is_same_engine` tells whether the rules' code is the same.
    """

    n_stored: int
    n_played: int
    n_forks_stored: int
    n_forks_played: int
    n_missing: int
    n_strangers: int
    n_rewritten: int
    is_same_engine: bool
    strategies: tuple[tuple[str, str], ...]  # spec, and where its source is known from


@dataclass(frozen=True, slots=True)
class _Job:
    """One part, and the number of its unit among the plan's units or units of forks."""

    number: int
    path: Path
    is_fork: bool


def verify_run(
    folder: Path,
    backend: Backend,
    *,
    n_units: int | None,
    seed: int = 0,
    folders: Sequence[Path] = (),
    run_sources: bool = False,
    notify: Callable[[str], None] | None = None,
) -> Verification:
    """Hold every part to its checksum, play `n_units` of them again, and compare the bytes.

    The units are drawn by `seed`, forks among them in proportion but one at least; all of them
    when `n_units` is None. Nothing in the folder is changed, and none of it is run but, with
    `run_sources`, the kept sources of strategies that are not found elsewhere.

    Raises:
        PartError: a part is missing, damaged, or not what its unit gives; the message names it.
        RunDirError: the folder holds no run, or a manifest that was changed.
        UsageError: a kept source would have to be run, and `run_sources` does not allow it.
        StrategyError: a strategy cannot be loaded, or broke.
    """
    run = open_run(folder)
    stored = check_manifest(folder, run.manifest)
    jobs, n_missing = _list_jobs(run, stored)
    for path in backend.run(_check, [job.path for job in jobs]):
        if isinstance(path, LcsimError):
            raise path
    chosen = _choose(jobs, n_units, seed)
    rebuilt = rebuild_plan(folder, stored, folders=folders, run_sources=run_sources)
    is_same_engine = (stored.engine.lcsim, stored.engine.rules) == (__version__, digest_rules())
    n_rewritten = _play(rebuilt.plan, chosen, backend, stored, notify) if chosen else 0
    n_forks = sum(job.is_fork for job in jobs)
    n_forks_played = sum(job.is_fork for job in chosen)
    return Verification(
        n_stored=len(jobs) - n_forks,
        n_played=len(chosen) - n_forks_played,
        n_forks_stored=n_forks,
        n_forks_played=n_forks_played,
        n_missing=n_missing,
        n_strangers=_count_strangers(run, jobs),
        n_rewritten=n_rewritten,
        is_same_engine=is_same_engine,
        strategies=tuple(
            zip((one.spec for one in rebuilt.plan.strategies), rebuilt.known, strict=True)
        ),
    )


def _list_jobs(run: RunDir, stored: StoredRun) -> tuple[list[_Job], int]:
    """Return the parts that are stored, and how many are not; a finished run must have them all."""
    jobs = [_Job(n, run.find_part(unit.id), False) for n, unit in enumerate(stored.units)]
    jobs += [_Job(n, run.find_fork_part(unit.id), True) for n, unit in enumerate(stored.fork_units)]
    present = [job for job in jobs if job.path.exists()]
    if not present:
        raise PartError(
            f"{run.path} has no part yet: there is nothing to verify",
            hint="give the command of the run again: it plays what is missing",
        )
    missing = [job for job in jobs if not job.path.exists()]
    if missing and run.is_finished():
        raise PartError(
            f"the part {missing[0].path} is missing"
            + (f", and {len(missing) - 1} more" if len(missing) > 1 else ""),
            hint="give the command of the run again: it plays what is missing",
        )
    return present, len(missing)


def _check(path: Path) -> Path | LcsimError:
    try:
        check_part(path)
    except LcsimError as error:
        return error
    return path


def _choose(jobs: Sequence[_Job], n_units: int | None, seed: int) -> list[_Job]:
    """Draw units and units of forks in proportion, one of each kind at least."""
    if n_units is None or n_units >= len(jobs):
        return list(jobs)
    kinds = [[job for job in jobs if job.is_fork is is_fork] for is_fork in (False, True)]
    n_forks = min(len(kinds[1]), max(1, round(n_units * len(kinds[1]) / len(jobs))))
    draw = random.Random(seed)
    chosen = draw.sample(kinds[0], min(len(kinds[0]), max(1, n_units - n_forks)))
    chosen += draw.sample(kinds[1], n_forks)
    return sorted(chosen, key=lambda job: (job.is_fork, job.number))


def _count_strangers(run: RunDir, jobs: Sequence[_Job]) -> int:
    known = {job.path for job in jobs}
    folders = {run.find_part("x").parent, run.find_fork_part("x").parent}
    return sum(
        path not in known
        for folder in folders
        if folder.is_dir()
        for path in folder.glob("*.parquet")
    )


def _play(
    plan: Plan,
    chosen: Sequence[_Job],
    backend: Backend,
    stored: StoredRun,
    notify: Callable[[str], None] | None,
) -> int:
    """Play the units and compare; return how many have the same rows in other bytes."""
    get_game(plan.kind).load_kernel(notify)
    strategies = [compile_strategy(one, notify=notify) for one in plan.strategies]
    with tempfile.TemporaryDirectory(prefix="lcsim-verify-") as name:

        def play(job: _Job) -> str | LcsimError:
            return _compare(plan, job, strategies, Path(name))

        answers = list(zip(chosen, backend.run(play, chosen), strict=True))
    for _, answer in answers:
        if isinstance(answer, LcsimError):
            raise answer
    is_same_polars = stored.versions.get("polars") == version("polars")
    rewritten = [job for job, answer in answers if answer == _REWRITTEN]
    differ = [(job, answer) for job, answer in answers if answer not in ("", _REWRITTEN)]
    if is_same_polars:
        differ += [(job, answer) for job, answer in answers if answer == _REWRITTEN]
    if differ:
        raise _explain(differ, len(chosen), stored)
    return len(rewritten)


_REWRITTEN = "it has the same rows in other bytes"


def _compare(
    plan: Plan, job: _Job, strategies: Sequence[CompiledStrategy], folder: Path
) -> str | LcsimError:
    """Play a unit again; return how its part differs, nothing where it does not, or what failed."""
    again = folder / job.path.name
    play = play_fork_unit if job.is_fork else play_unit
    error = play(plan, job.number, strategies, part=again).error
    if error is not None:
        return error
    try:
        if again.read_bytes() == job.path.read_bytes():
            return ""
        kept, played = read_part(job.path), read_part(again)
    except LcsimError as damage:
        return damage
    finally:
        again.unlink()
    if (kept.matchup, kept.ruleset) != (played.matchup, played.ruleset):
        return f"it says that it is {kept.matchup} under {kept.ruleset}"
    return _find_difference(kept.rows, played.rows) or _REWRITTEN


def _find_difference(kept: npt.NDArray[np.void], played: npt.NDArray[np.void]) -> str:
    if kept.dtype != played.dtype:
        return "it has other columns"
    if kept.size != played.size:
        return f"it has {kept.size} rows, and played again there are {played.size}"
    rows = np.flatnonzero(kept != played)
    if not rows.size:
        return ""
    old, new = kept[rows[0]], played[rows[0]]
    name = next(name for name in kept.dtype.names or () if old[name] != new[name])
    place = ", ".join(f"{key} {new[key]}" for key in ("deal", "rotation", "round"))
    return f"in {place} its {name} is {old[name]}, and played again it is {new[name]}"


def _explain(
    differ: Sequence[tuple[_Job, str | LcsimError]], n_played: int, stored: StoredRun
) -> PartError:
    named = "; ".join(f"{job.path}: {how}" for job, how in differ[:_SHOWN])
    more = f"; and {len(differ) - _SHOWN} more" if len(differ) > _SHOWN else ""
    hint = "it was changed after it was played, or by something that is no part of lcsim"
    if (stored.engine.lcsim, stored.engine.rules) != (__version__, digest_rules()):
        hint = (
            f"it was played by lcsim {stored.engine.lcsim} with other code of the rules "
            f"({stored.engine.rules}, here {digest_rules()}): verify it with that version"
        )
    return PartError(
        f"{len(differ)} of {n_played} units played again differ: {named}{more}", hint=hint
    )
