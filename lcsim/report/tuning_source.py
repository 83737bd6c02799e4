"""What a report on a tuning reads: its `tune.json` and generations, held to what they must be."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lcsim.errors import LcsimError, PartError, RunDirError
from lcsim.experiment.complain import list_problems
from lcsim.experiment.load import SEED_LIMIT
from lcsim.report.tuning_verdict import Verdict, judge_gain
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.estimate import Estimate
from lcsim.store.tune_dir import GENERATIONS, MANIFEST, TuneDir

if TYPE_CHECKING:
    from pathlib import Path

_HINT = "take the tuning as it was written, or tune again in a new folder"
_Count = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
_Number = Annotated[float, Field(allow_inf_nan=False)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class Goal(_Entry):
    """An estimate as it is stored: points ahead a game, or a share of games won."""

    mean: _Number
    se: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None
    n: _Positive

    @property
    def estimate(self) -> Estimate:
        """The same as a value."""
        return Estimate(self.mean, self.se, self.n)


class Generation(_Entry):
    """One generation: `values` and `estimate` are those of its mean, `goals` its settings' sums."""

    number: _Count
    values: dict[str, int | _Number]
    estimate: Goal
    spread: _Number
    goals: list[int]


class ParamRange(_Entry):
    """A tuned parameter: what it may be, what it is by default, and what it means."""

    low: _Number
    high: _Number
    default: _Number
    help: str

    def find_share(self, value: float) -> float:
        """Return where a value lies in the range, 0 at its low end and 1 at its high one."""
        return (value - self.low) / (self.high - self.low)


class Settings(_Entry):
    """What the tuning was asked for."""

    strategy: str
    against: Annotated[list[str], Field(min_length=1)]
    ruleset: str
    players: Annotated[int, Field(ge=2)]
    goal: Literal["margin", "wins"]
    seed: Annotated[int, Field(ge=0, lt=SEED_LIMIT)]
    budget: _Positive
    deals: Annotated[int, Field(ge=2)]
    population: _Count
    spread: _Number
    params: list[str]
    validation: _Positive
    sensitivity: _Count
    question: str

    def write_command(self, out: Path | None = None) -> str:
        """Return the command that asks for this tuning."""
        words = ["lcsim", "tune", self.strategy]
        for spec in self.against:
            words += ["--against", spec]
        words += ["--ruleset", self.ruleset, "--players", str(self.players)]
        words += ["--goal", self.goal, "--budget", str(self.budget), "--deals", str(self.deals)]
        words += ["--population", str(self.population)] if self.population else []
        words += ["--spread", str(self.spread)]
        words += ["--params", ",".join(self.params)] if self.params else []
        words += ["--validation", str(self.validation), "--sensitivity", str(self.sensitivity)]
        words += ["--seed", str(self.seed)]
        words += ["--out", str(out)] if out else []
        return shlex.join(words)


class Neighbor(_Entry):
    """What one parameter set to another value costs."""

    param: str
    value: _Number
    loss: Goal


class Result(_Entry):
    """What came out; all but `searched` is on deals that the search never saw."""

    spec: str
    values: dict[str, int | _Number]
    n_generations: _Positive
    searched: Goal
    tuned: Goal
    start: Goal
    gain: Goal
    neighbours: list[Neighbor]


class KeptStrategy(_Entry):
    """A strategy that took part, and the file under sources/ that keeps its text."""

    label: str
    spec: str
    source: Annotated[str, Field(pattern=r"^[^/\\]+\.py$")]


class Tuning(_Entry):
    """A tuning, as far as its report needs to know it; `result` is None until it has ended."""

    kind: str
    strategy: str
    settings: Settings
    params: Annotated[dict[str, ParamRange], Field(min_length=1)]
    strategies: list[KeptStrategy] = []
    result: Result | None = None
    generations: Annotated[list[Generation], Field(min_length=1)]

    @property
    def verdict(self) -> Verdict | None:
        """Whether the result is better than the start; None where there is no result yet."""
        if self.result is None:
            return None
        return judge_gain(
            self.result.gain.estimate,
            name=self.strategy,
            is_share=self.settings.goal == "wins",
            deals=self.settings.deals,
            budget=self.settings.budget,
            spread=self.settings.spread,
        )

    @property
    def n_tables(self) -> int:
        """The groups of opponents that each setting met."""
        settings = self.settings
        n_others, n_pool = settings.players - 1, len(settings.against)
        if n_others == n_pool:
            return 1
        tables = 1
        for step in range(1, n_others + 1):
            tables = tables * (n_pool + step - 1) // step
        return tables

    @property
    def games_each(self) -> int:
        """The games that one setting plays in a generation."""
        return self.n_tables * self.settings.players * self.settings.deals


def is_tuning(path: Path) -> bool:
    """Tell whether the folder holds a tuning rather than a run."""
    return TuneDir(path).is_begun


def open_tuning(path: Path) -> Tuning:
    """Read the tuning in the folder `path`.

    Raises:
        RunDirError: its files cannot be read, or do not say what a tuning's say.
        PartError: no generation has been played yet.
    """
    folder = TuneDir(path)
    manifest = folder.read_manifest()
    generations = folder.read_generations(manifest["digest"]).records
    if not generations:
        raise PartError(
            f"{path / GENERATIONS} has no generation to report on yet",
            hint="give the command of the tuning again; it goes on where it stopped",
        )
    try:
        tuning = Tuning.model_validate({**manifest, "generations": generations})
        fault = _find_fault(tuning)
    except ValidationError as error:
        fault = "; ".join(list_problems(error, Tuning))
    except LcsimError as error:
        fault = error.message
    if fault:
        raise RunDirError(f"{path / MANIFEST} is no tuning: {fault}", hint=_HINT)
    return tuning


def _find_fault(tuning: Tuning) -> str:
    """Return what does not fit together, or nothing."""
    settings, names = tuning.settings, set(tuning.params)
    for name, param in tuning.params.items():
        if param.low >= param.high:
            return f"params.{name}: low must lie below high"
    for generation in tuning.generations:
        if set(generation.values) != names:
            return f"generation {generation.number} has other parameters"
    if tuning.result is not None:
        near = {one.param for one in tuning.result.neighbours}
        if not names <= set(tuning.result.values) or not near <= names:
            return "result: it has other parameters"
        n, n_ended = len(tuning.generations), tuning.result.n_generations
        if n < n_ended:
            return (
                f"{GENERATIONS} has {n} of the {n_ended} generations that its result was taken "
                "from; the command of the tuning plays them anew"
            )
    if settings.players not in get_game(tuning.kind).player_counts:
        return f"settings.players: {tuning.kind} is not played by {settings.players}"
    if parse_ruleset(settings.ruleset).kind != tuning.kind:
        return f"settings.ruleset: {settings.ruleset} is none of {tuning.kind}"
    return ""
