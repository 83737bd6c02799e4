"""From an experiment file, or a command line, to the work units that answer it."""

from lcsim.experiment.load import build_match_experiment, load_experiment, parse_experiment
from lcsim.experiment.model import Expectation, Experiment
from lcsim.experiment.plan import Matchup, Plan, WorkUnit, build_plan

__all__ = [
    "Expectation",
    "Experiment",
    "Matchup",
    "Plan",
    "WorkUnit",
    "build_match_experiment",
    "build_plan",
    "load_experiment",
    "parse_experiment",
]
