"""Plays a plan to its end, going on where an earlier start stopped."""

from collections.abc import Callable
from pathlib import Path

from lcsim.experiment import Plan
from lcsim.experiment.identity import list_sources
from lcsim.runner.backends import Backend
from lcsim.runner.choose import choose_backend
from lcsim.runner.forks import ForkSession
from lcsim.runner.manifest import (
    describe_plan,
    describe_result,
    refuse_other_run,
)
from lcsim.runner.progress import NoProgress, Progress
from lcsim.runner.result import RunResult
from lcsim.runner.session import Session
from lcsim.runner.stop import check_stop_rule
from lcsim.store import RunDir, claim_run


def run_plan(
    plan: Plan,
    run_dir: Path | None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    notify: Callable[[str], None] | None = None,
    command: str = "",
    backend: Backend | None = None,
) -> RunResult:
    """Play what is missing of a plan, and return the moments of all of it.

    With `run_dir` every unit becomes a part there, and parts that exist are read instead of played;
    without it nothing is kept. The result is the same for any jobs, backend and unit size, and
    whether or not the run was interrupted before. Forks are played last, into parts of their own.

    Args:
        plan: from `build_plan`.
        run_dir: the run's folder: a new or empty one, or that of the same plan begun before.
        jobs: threads or processes; all cores this process may use when None.
        progress: told now and then how far the run is; nothing is shown when None.
        notify: called with a sentence when a strategy has to be compiled first.
        command: the command that goes on with this run, for whoever interrupts it.
        backend: who runs the units; when None threads, or processes for batch strategies.

    Raises:
        CountError: `jobs` is below 1.
        RunDirError: the folder holds something else, another run, or is in use.
        PartError: a part is damaged; found before anything is played.
        StrategyBrokeError: a strategy broke; the hint is the command that replays the game.
        StoreError: the disk failed.
        WorkerError: workers in other processes were lost too often.
        InterruptedRunError: KeyboardInterrupt; what was finished is kept.
    """
    chosen = backend or choose_backend(plan, jobs)
    shown = progress or NoProgress()
    check_stop_rule(plan)
    if run_dir is None:
        return Session(plan, None, chosen, shown).play(notify, command)
    with claim_run(run_dir) as claimed:
        run = _begin(plan, claimed, command)
        forks = ForkSession(plan, run, chosen, shown)
        forks.check_stored()
        session = Session(plan, run, chosen, shown, _list_kept(claimed))
        result = session.play(notify, command)
        session.remove_surplus()
        result = forks.play(result, notify, command)
        run.remove_temporary_files()  # of workers that were lost
        run.write_manifest(describe_result(run.manifest, result))
    return result


def _list_kept(claimed: RunDir) -> set[str] | None:
    """Return the units that a run ended with; None where it has not ended."""
    return {unit["id"] for unit in claimed.manifest["units"]} if claimed.is_finished() else None


def _begin(plan: Plan, claimed: RunDir, command: str) -> RunDir:
    """Write the manifest of a run that begins or goes on, and keep the strategies' sources."""
    manifest = describe_plan(plan, run_dir=str(claimed.path), command=command)
    if claimed.manifest:
        refuse_other_run(claimed, manifest)
        manifest["timing"] = claimed.manifest.get("timing")
    run = claimed.write_manifest(manifest)
    for strategy in plan.strategies:
        for one in (strategy, *strategy.guests.values()):
            for name, data in list_sources(one).items():
                run.write_source(name, data)
    return run
