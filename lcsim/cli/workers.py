"""Playing a plan with the workers that the options name."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lcsim.cli.output import say

if TYPE_CHECKING:
    from lcsim.experiment import Plan
    from lcsim.runner import Progress, RunResult


@dataclass(frozen=True, slots=True)
class Choice:
    """What the options say of who plays; None is what suits the plan and this machine."""

    backend: str | None
    scheduler: str | None
    jobs: int | None


def play_plan(
    plan: "Plan", out: Path | None, choice: Choice, *, progress: "Progress", command: str
) -> "RunResult":
    """Play a plan with the workers of that choice, into `out`."""
    from lcsim.runner import open_backend, run_plan

    with open_backend(choice.backend, choice.scheduler, choice.jobs, plan) as workers:
        return run_plan(plan, out, progress=progress, notify=say, command=command, backend=workers)
