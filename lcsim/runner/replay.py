"""The command that plays one game again, turn by turn."""

from lcsim.errors import StrategyBrokeError
from lcsim.experiment import Matchup, Plan, command


def write_replay_command(plan: Plan, matchup: Matchup, error: StrategyBrokeError) -> str:
    """Return the hint of a broken strategy: the command that replays the game up to that turn."""
    replay = command.write_replay_command(
        [plan.strategies[number].spec for number in matchup.strategies],
        ruleset=matchup.ruleset.spec,
        seed=plan.experiment.seed,
        deal=error.deal,
        rotation=error.rotation,
        folders=map(str, plan.folders),
    )
    return f"replay that game up to that turn: {replay}"
