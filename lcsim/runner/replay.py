"""The command that plays one game again, turn by turn."""

import shlex

from lcsim.errors import StrategyBrokeError
from lcsim.experiment import Matchup, Plan


def write_replay_command(plan: Plan, matchup: Matchup, error: StrategyBrokeError) -> str:
    """Return the hint of a broken strategy: the command that replays the game up to that turn."""
    specs = [plan.strategies[number].spec for number in matchup.strategies]
    words = ["lcsim", "replay", *specs, "--ruleset", matchup.ruleset.spec]
    words += ["--seed", str(plan.experiment.seed), "--deal", str(error.deal)]
    words += ["--rotation", str(error.rotation)]
    for folder in plan.folders:
        words += ["--strategies", str(folder)]
    return f"replay that game up to that turn: {shlex.join(words)}"
