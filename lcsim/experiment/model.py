"""What an experiment is: the text of its TOML file, and the value made from that.

`ExperimentText` says which keys a file may have and of what type they are; `Experiment` is what the
rest of lcsim sees, with rulesets parsed and every number checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from lcsim.rules import Ruleset

Scheme = Literal["round-robin", "gauntlet"]
MAX_QUESTION = 300
"""Characters of a question: it is the title of a report."""

SCHEMES: tuple[str, ...] = ("round-robin", "gauntlet")


def _check_matchups(value: Any) -> Any:
    if value in SCHEMES:
        return value
    if (
        isinstance(value, list)
        and value
        and all(
            isinstance(group, list) and group and all(isinstance(text, str) for text in group)
            for group in value
        )
    ):
        return value
    raise PydanticCustomError(
        "matchups",
        'must be "round-robin", "gauntlet", or lists of strategies such as [["a", "b"]]',
    )


def _check_ruleset(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("preset"), str):
        return value
    raise PydanticCustomError(
        "ruleset",
        'must be a text such as "duel:bonus_points=0", '
        'or a table with a preset such as {preset = "duel", bonus_points = 0}',
    )


_Number = Annotated[float, Field(allow_inf_nan=False)]
_LowRate = Annotated[float, Field(ge=0, lt=1)]  # no win rate is above 1, and none below 0
_HighRate = Annotated[float, Field(gt=0, le=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ExpectationText(_Table):
    """One `[[expect]]` table: a statement that the results must bear out."""

    strategy: str
    against: str | None = None
    ruleset: str | None = None
    win_rate_above: _LowRate | None = None
    win_rate_below: _HighRate | None = None
    diff_above: _Number | None = None
    diff_below: _Number | None = None


class ForksText(_Table):
    """The `[forks]` table: how many games of each matchup have their moves forked."""

    games: int


class ExperimentText(_Table):
    """The keys of an experiment file."""

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    cost: str = ""
    kind: str | None = None
    seed: int = 42
    games: int = 100_000
    players: int = 2
    rulesets: Annotated[
        list[Annotated[Any, BeforeValidator(_check_ruleset)]], Field(min_length=1)
    ] = ["duel"]
    strategies: list[str] = []
    matchups: Annotated[Any, BeforeValidator(_check_matchups)] = "round-robin"
    unit_deals: int | None = None
    precision: _Number | None = None
    sprt: Annotated[list[_Number], Field(min_length=2, max_length=2)] | None = None
    forks: ForksText | None = None
    expect: list[ExpectationText] = []


@dataclass(frozen=True, slots=True)
class Expectation:
    """A statement checked at the end of a run: a quantity lies on one side of `bound`.

    `quantity` is "win_rate" (a draw is half a win) or "diff", the difference of mean scores a game.
    Without `against` or `ruleset` it must hold in every matchup of the strategy.
    """

    strategy: str
    against: str | None
    ruleset: str | None
    quantity: Literal["win_rate", "diff"]
    side: Literal["above", "below"]
    bound: float
    at: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """A question put to the games: who plays whom under which rules, how often, from which seed.

    `games` counts games a matchup and ruleset; with `precision` (half-width of the 95 % interval of
    the difference of mean scores) or `sprt` (the two differences it decides between) it is the most
    that will be played. `matchups` is a scheme, or the matchups by the texts of their strategies.
    `fork_games` counts the games a matchup whose moves are forked (0: none): those of its first
    deals. `folder` is where paths of strategies are looked for first.
    """

    question: str
    cost: str
    kind: str
    seed: int
    games: int
    players: int
    rulesets: tuple[Ruleset, ...]
    strategies: tuple[str, ...]
    matchups: Scheme | tuple[tuple[str, ...], ...]
    unit_deals: int | None = None
    precision: float | None = None
    sprt: tuple[float, float] | None = None
    fork_games: int = 0
    expectations: tuple[Expectation, ...] = ()
    path: Path | None = None
    folder: Path | None = None

    @property
    def has_stop_rule(self) -> bool:
        """Tell whether a rule may end the run before `games` are played."""
        return self.precision is not None or self.sprt is not None
