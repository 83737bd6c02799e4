"""Plays the work units of a plan, in parallel, into parts and moments."""

from lcsim.runner.choose import open_backend
from lcsim.runner.expect import Outcome, evaluate_expectations, is_answered_no
from lcsim.runner.progress import NoProgress, Progress, Snapshot, build_progress
from lcsim.runner.result import MatchupResult, RunResult, Timing
from lcsim.runner.run import run_plan
from lcsim.runner.stop import PrecisionRule, SprtRule, Stop, StopRule, build_stop_rule

__all__ = [
    "MatchupResult",
    "NoProgress",
    "Outcome",
    "PrecisionRule",
    "Progress",
    "RunResult",
    "Snapshot",
    "SprtRule",
    "Stop",
    "StopRule",
    "Timing",
    "build_progress",
    "build_stop_rule",
    "evaluate_expectations",
    "is_answered_no",
    "open_backend",
    "run_plan",
]
