"""What a run gives back: exact moments a matchup, never games."""

from dataclasses import dataclass

from lcsim.experiment import Matchup, Plan
from lcsim.runner.stop import Stop
from lcsim.stats.estimate import Moments


@dataclass(frozen=True, slots=True)
class MatchupResult:
    """One matchup played: `games` are the moments of `measure_games` over its deal groups."""

    matchup: Matchup
    games: Moments
    n_rounds: int
    stop: Stop

    @property
    def n_deals(self) -> int:
        """Return the number of deal groups played."""
        return self.games.n

    @property
    def n_games(self) -> int:
        """Return the number of games played."""
        return self.games.n * self.matchup.n_rotations


@dataclass(frozen=True, slots=True)
class Timing:
    """How long it took, and what was played rather than read from parts.

    `seconds` is the wall-clock time of it all; `seconds_before` the part of that before the first
    game, reading parts and compiling, and `seconds_forks` the part after the last, forking moves.
    """

    seconds: float
    seconds_before: float
    jobs: int
    units_played: int
    units_read: int
    rounds_played: int
    seconds_forks: float = 0.0
    fork_units_played: int = 0

    @property
    def rounds_per_second(self) -> float:
        """Return the rounds played a second, parts written; those of forks are not counted."""
        seconds = self.seconds - self.seconds_before - self.seconds_forks
        return self.rounds_played / max(seconds, 1e-9)


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run: its plan, a result a matchup in the plan's order, and the time it took."""

    plan: Plan
    matchups: tuple[MatchupResult, ...]
    timing: Timing

    @property
    def n_games(self) -> int:
        """Return the number of games played, over all matchups."""
        return sum(result.n_games for result in self.matchups)

    @property
    def n_rounds(self) -> int:
        """Return the number of rounds played, over all matchups."""
        return sum(result.n_rounds for result in self.matchups)

    @property
    def stopped(self) -> str:
        """Return why the run ended: "games", or the rule that ended a matchup before that."""
        reasons = {result.stop.reason for result in self.matchups} - {"games"}
        return min(reasons, default="games")
