"""What a tuning is asked for, from the command line or from a TOML file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lcsim.compiled import digest_platform, digest_text
from lcsim.errors import CountError, ExperimentError
from lcsim.experiment.beside import find_beside
from lcsim.experiment.complain import explain_validation
from lcsim.experiment.load import describe_players
from lcsim.experiment.toml import parse_toml, read_text
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import LoadedStrategy, load_strategy
from lcsim.tune.fitness import SELF, Goal
from lcsim.tune.space import Space, build_space

_EXAMPLE = "give the path of a TOML file, such as experiments/tunings/tuned-duel.toml"
_HINT = "the shipped tunings, such as experiments/tunings/tuned-duel.toml, show how one is written"
IN_OTHER_WORDS = ("question", "strategy", "against", "ruleset")
"""Settings that may be written differently and ask for the same tuning."""
LEAST_POPULATION = 4
"""CMA-ES weighs the better half of a generation, and learns no shape from one setting alone."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A tuning: which strategy against whom, by what measure, and for how many games.

    `budget` counts games of the search; `deals` are the deals on which a generation is played, by
    every setting against every table; `spread` is how far the first generation's settings lie
    apart, as a share of the parameters' ranges; `validation` counts the games, on deals of their
    own, that each of the two compared settings plays at the end, and `sensitivity` those of each
    neighbour of the optimum.
    """

    strategy: str
    against: tuple[str, ...]
    ruleset: str = "duel"
    players: int = 2
    goal: Goal = "margin"
    seed: int = 42
    budget: int = 2_000_000
    deals: int = 200
    population: int = 0
    spread: float = 0.2
    params: tuple[str, ...] = ()
    validation: int = 40_000
    sensitivity: int = 4_000
    question: str = ""

    def write_toml(self) -> str:
        """Return the file that asks for the same tuning."""
        lines = [f"{name} = {_write_value(value)}" for name, value in asdict(self).items()]
        return "\n".join(lines) + "\n"


def check_population(size: int, what: str = "population") -> None:
    """Raise CountError, which calls the number `what`, for a generation too small to learn from."""
    if 0 < size < LEAST_POPULATION:
        raise CountError(
            f"{what} is {size}, and CMA-ES needs {LEAST_POPULATION} or more: it learns from the "
            "better half of a generation, where one setting alone shows no direction",
            hint=f"Give {LEAST_POPULATION} or more, or 0, which lets the number follow from the "
            "parameters'.",
        )


class _SettingsText(BaseModel):
    """The keys of a tuning's file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    strategy: str
    against: Annotated[list[str], Field(min_length=1)]
    ruleset: str = "duel"
    players: int = 2
    goal: Goal = "margin"
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 42
    budget: Annotated[int, Field(ge=1)] = 2_000_000
    deals: Annotated[int, Field(ge=2)] = 200
    population: Annotated[int, Field(ge=0)] = 0
    spread: Annotated[float, Field(gt=0, le=1)] = 0.2
    params: list[str] = []
    validation: Annotated[int, Field(ge=1)] = 40_000
    sensitivity: Annotated[int, Field(ge=0)] = 4_000
    question: str = ""


def load_settings(path: Path) -> Settings:
    """Read a tuning's file; raises ExperimentError with the key's path.

    Strategies' files are looked for in the folder of the file first.
    """
    values = parse_toml(read_text(path, "the tuning", hint=_EXAMPLE), str(path))
    if {"strategies", "matchups"} & set(values):
        raise ExperimentError(
            f"{path} is an experiment, not a tuning", hint=f"give it to: lcsim run {path}"
        )
    settings = build_settings(values, where=str(path))
    return replace(
        settings,
        strategy=find_beside(settings.strategy, path.parent),
        against=tuple(find_beside(one, path.parent) for one in settings.against),
    )


def build_settings(values: Mapping[str, Any], *, where: str = "this tuning") -> Settings:
    """Return the settings of checked values; raises ExperimentError for what cannot be."""
    try:
        text = _SettingsText.model_validate(dict(values))
    except ValidationError as error:
        raise explain_validation(error, _SettingsText, where, hint=_HINT) from None
    check_population(text.population, f"{where}: population")
    given = text.model_dump()
    return Settings(**given | {"against": tuple(text.against), "params": tuple(text.params)})


@dataclass(frozen=True, slots=True)
class Tuning:
    """A tuning ready to run: its settings with strategies loaded and counts worked out."""

    settings: Settings
    space: Space
    opponents: tuple[LoadedStrategy | None, ...]  # None for the strategy itself
    ruleset: Any
    digest: str  # of all that decides what comes out
    folders: tuple[Path, ...] = ()  # searched for strategies before the usual ones

    def count_generations(self, games_each: int) -> int:
        """Return how many generations of so many games the budget pays for; raises CountError."""
        n = self.settings.budget // games_each
        if n < 1:
            raise CountError(
                f"a budget of {self.settings.budget:,} games pays for no generation of "
                f"{games_each:,}",
                hint=f"Give --budget {10 * games_each} for ten, or fewer --deals.",
            )
        return n


def prepare_tuning(settings: Settings, folders: Sequence[Path] = ()) -> Tuning:
    """Load what a tuning needs; raises UsageError or StrategyError for what cannot be."""
    ruleset = parse_ruleset(settings.ruleset)
    game = get_game(ruleset.kind)
    if settings.players not in game.player_counts:
        raise CountError(
            f"{game.title} is not played by {settings.players} players",
            hint=f"It is played by {describe_players(game.player_counts)}.",
        )
    game.check_players(ruleset, settings.players)
    kind = ruleset.kind
    strategy = load_strategy(settings.strategy, kind=kind, folders=folders)
    opponents = tuple(
        None if text == SELF else load_strategy(text, kind=kind, folders=folders)
        for text in settings.against
    )
    space = build_space(strategy, settings.params)
    decides = {
        name: value for name, value in asdict(settings).items() if name not in IN_OTHER_WORDS
    }
    parts = [json.dumps(decides), ruleset.spec, strategy.digest, digest_platform()]
    parts += [one.digest if one else SELF for one in opponents]
    return Tuning(settings, space, opponents, ruleset, digest_text(*parts), tuple(folders))


def _write_value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_write_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
