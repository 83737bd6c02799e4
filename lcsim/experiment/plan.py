"""From an experiment to work units: which deals of which matchup are played as one piece."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from lcsim.errors import CountError, ExperimentError, LcsimError, did_you_mean
from lcsim.experiment.beside import find_beside
from lcsim.experiment.complain import locate, write_path
from lcsim.experiment.identity import describe_matchup, hash_unit
from lcsim.experiment.load import check_games, check_unit_deals, describe_players
from lcsim.experiment.model import Expectation, Experiment
from lcsim.rules import Ruleset, get_game
from lcsim.rules.restriction import check_effect
from lcsim.strategy import LoadedStrategy, load_strategy

CHECKPOINT_DEALS = 1024
"""Deals between two looks of a stopping rule; no unit reaches across one while a rule is active."""

MAX_MATCHUPS = 5000
"""Matchups of one experiment; a round-robin of a hundred strategies has 4,950."""

MAX_UNITS = 2_000_000
"""Work units of one experiment: each is a file, a line of the manifest, and some memory."""

_MAX_UNIT_DEALS = 8192
_MIN_UNIT_DEALS = 256
_MAX_UNIT_ROWS = 65536
_UNITS_A_MATCHUP = 8
_MAX_FORK_DEALS = 1024
_MIN_FORK_DEALS = 64


@dataclass(frozen=True, slots=True)
class Matchup:
    """Strategies that meet under one ruleset: `strategies` are numbers into the plan's list."""

    label: str
    labels: tuple[str, ...]
    strategies: tuple[int, ...]
    ruleset: Ruleset
    n_deals: int

    @property
    def n_rotations(self) -> int:
        """Return how many games a deal is played in: one a seat rotation."""
        return len(self.strategies)

    @property
    def n_rounds(self) -> int:
        """Return the rounds of a game: a field that every game's ruleset has."""
        ruleset: Any = self.ruleset
        return int(ruleset.rounds)

    @property
    def n_games(self) -> int:
        """Return the number of games planned."""
        return self.n_deals * self.n_rotations


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A range of deals of one matchup, played as one piece; `id` hashes all that decides it."""

    id: str
    matchup: int
    first_deal: int
    n_deals: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a run will do, in order; `numbers` are the strategies' by the experiment's texts.

    `fork_units` come after `units`: the first deals of each matchup, with their moves forked.
    """

    experiment: Experiment
    kind: str
    rulesets: tuple[Ruleset, ...]
    strategies: tuple[LoadedStrategy, ...]
    matchups: tuple[Matchup, ...]
    units: tuple[WorkUnit, ...]
    numbers: Mapping[str, int]
    folders: tuple[Path, ...] = ()
    fork_units: tuple[WorkUnit, ...] = ()

    @property
    def n_games(self) -> int:
        """Return the number of games planned, over all matchups."""
        return sum(matchup.n_games for matchup in self.matchups)

    @property
    def n_fork_games(self) -> int:
        """Return the number of games whose moves are forked, over all matchups."""
        return len(self.matchups) * self.experiment.fork_games


def build_plan(experiment: Experiment, folders: Sequence[Path] = ()) -> Plan:
    """Load the strategies of an experiment and cut its matchups into work units.

    A strategy given as a path is looked for beside the experiment file first, then in the current
    folder. `folders` are searched for names before the usual ones.

    A unit's range depends on its own matchup alone, never on the jobs or on other matchups. While
    the experiment has a stopping rule, units are cut at every `CHECKPOINT_DEALS`-th deal too, so
    that the rule looks at the same places for any unit size.

    Raises:
        UsageError: one of its kinds: an unknown strategy, impossible counts, an empty matchup.
        StrategyLoadError: a strategy's file cannot be used.
    """
    prefix = _prefix(experiment)
    check_unit_deals(experiment.unit_deals, prefix)
    strategies, numbers = _load_strategies(experiment, folders)
    _check_forks(experiment, strategies, prefix)
    groups = _choose_groups(experiment, numbers)
    if len(groups) * len(experiment.rulesets) > MAX_MATCHUPS:
        raise ExperimentError(
            f"{prefix}{len(groups) * len(experiment.rulesets):,} matchups are more than the "
            f"{MAX_MATCHUPS:,} that one experiment may have",
            hint='name fewer strategies, or choose the pairs with matchups = "gauntlet" or a list',
        )
    n_rotations = [len(group) for group in groups]
    check_games(experiment.games, n_rotations, prefix)
    check_games(experiment.fork_games, n_rotations, prefix, key="forks.games")
    _check_players(experiment, groups, prefix)
    matchups = _list_matchups(experiment, groups, _name_strategies(strategies))
    _refuse_duplicates(matchups, prefix)
    _check_units(experiment, matchups, prefix)
    plan = Plan(
        experiment,
        experiment.kind,
        experiment.rulesets,
        strategies,
        tuple(matchups),
        _cut_units(experiment, matchups, strategies),
        numbers,
        tuple(folders),
        _cut_units(experiment, matchups, strategies, has_forks=True),
    )
    for expectation in experiment.expectations:
        find_expected(plan, expectation)
    return plan


def find_expected(plan: Plan, expectation: Expectation) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return what an expectation speaks of: (matchup, place of the strategy, places of the others).

    A strategy is named by its label in the matchup, its spec, or the text of the experiment.

    Raises:
        ExperimentError: it speaks of no matchup of the plan.
    """
    found = []
    for number, matchup in enumerate(plan.matchups):
        if expectation.ruleset not in (None, matchup.ruleset.spec):
            continue
        place = _find_place(plan, matchup, expectation.strategy, taken=None)
        if place is None:
            continue
        others = tuple(other for other in range(len(matchup.labels)) if other != place)
        if expectation.against is not None:
            rival = _find_place(plan, matchup, expectation.against, taken=place)
            if rival is None:
                continue
            others = (rival,)
        found.append((number, place, others))
    if not found:
        against = f" against {expectation.against!r}" if expectation.against else ""
        under = f" under {expectation.ruleset!r}" if expectation.ruleset else ""
        labels = dict.fromkeys(matchup.label for matchup in plan.matchups)
        names = {label for matchup in plan.matchups for label in matchup.labels}
        wrong = [name for name in (expectation.strategy, expectation.against) if name not in names]
        near = did_you_mean(wrong[0], names) if wrong and wrong[0] else ""
        raise ExperimentError(
            f"{expectation.at}: no matchup has {expectation.strategy!r}{against}{under}"
            f"{'; ' + near if near else ''}".rstrip(),
            hint=f"the matchups are: {'; '.join(labels)}; "
            f"under: {'; '.join(ruleset.spec for ruleset in plan.rulesets)}",
        )
    return found


def _find_place(plan: Plan, matchup: Matchup, name: str, *, taken: int | None) -> int | None:
    for place, number in enumerate(matchup.strategies):
        strategy = plan.strategies[number]
        if place == taken:
            continue
        is_named = name in (matchup.labels[place], strategy.spec, strategy.label)
        if is_named or plan.numbers.get(name) == number:
            return place
    return None


def _prefix(experiment: Experiment) -> str:
    return f"{experiment.path}: " if experiment.path else ""


def _load_strategies(
    experiment: Experiment, folders: Sequence[Path]
) -> tuple[tuple[LoadedStrategy, ...], dict[str, int]]:
    """Return the different strategies, and the number of each text of the experiment."""
    loaded: dict[str, LoadedStrategy] = {}
    numbers: dict[str, int] = {}
    for place, text in enumerate(experiment.strategies):
        try:
            strategy = load_strategy(
                find_beside(text, experiment.folder), kind=experiment.kind, folders=folders
            )
            check_effect(strategy.spec, strategy.restriction, experiment.rulesets)
        except LcsimError as error:
            if experiment.path and error.exit_code == ExperimentError.exit_code:
                at = _prefix(experiment) + write_path(["strategies", place])
                raise locate(error, at) from error
            raise
        loaded.setdefault(strategy.spec, strategy)
        numbers[text] = list(loaded).index(strategy.spec)
    return tuple(loaded.values()), numbers


def _choose_groups(experiment: Experiment, numbers: dict[str, int]) -> list[tuple[int, ...]]:
    """Return the strategies that meet, by number."""
    counts = get_game(experiment.kind).player_counts
    prefix = _prefix(experiment)
    if not isinstance(experiment.matchups, str):
        for place, group in enumerate(experiment.matchups):
            if len(group) not in counts:
                raise CountError(
                    f"{prefix}matchups[{place}]: a game of {experiment.kind} has "
                    f"{describe_players(counts)}, not {len(group)}",
                    hint="name as many strategies as there are players",
                )
        return [tuple(numbers[text] for text in group) for group in experiment.matchups]
    listed = [numbers[text] for text in experiment.strategies]
    if len(listed) < experiment.players:
        raise ExperimentError(
            f"{prefix}strategies: {len(listed)} cannot fill a game of {experiment.players}",
            hint="name more strategies; the same one may be named again",
        )
    if experiment.matchups == "gauntlet":
        first, rest = listed[0], listed[1:]
        return [(first, *others) for others in combinations(rest, experiment.players - 1)]
    return list(combinations(listed, experiment.players))


def _check_forks(experiment: Experiment, strategies: Sequence[LoadedStrategy], prefix: str) -> None:
    """Raise ExperimentError for a strategy restricted at one turn, where moves are to be forked."""
    for strategy in strategies:
        if experiment.fork_games and strategy.restriction.turn >= 0:
            raise ExperimentError(
                f"{prefix}forks: {strategy.spec} is restricted at one turn already, and a fork is "
                "a restriction at one turn",
                hint="leave out [forks], or that turn",
            )


def _check_players(experiment: Experiment, groups: Sequence[tuple[int, ...]], prefix: str) -> None:
    """Raise RulesetError's sentence where a ruleset cannot be played by as many as a group has."""
    check = get_game(experiment.kind).check_players
    for place, ruleset in enumerate(experiment.rulesets):
        for n_players in sorted({len(group) for group in groups}):
            try:
                check(ruleset, n_players)
            except LcsimError as error:
                if experiment.path:
                    at = prefix + write_path(["rulesets", place])
                    raise locate(error, at) from error
                raise


def _list_matchups(
    experiment: Experiment, groups: Sequence[tuple[int, ...]], names: Sequence[str]
) -> list[Matchup]:
    matchups = []
    for ruleset in experiment.rulesets:
        for group in groups:
            labels = _number_duplicates([names[number] for number in group])
            n_deals = experiment.games // len(group)
            matchups.append(Matchup(" vs ".join(labels), labels, group, ruleset, n_deals))
    return matchups


def _name_strategies(strategies: Sequence[LoadedStrategy]) -> list[str]:
    """Return each strategy's label; of several that share one, all but the first use their spec.

    A strategy called by name keeps its label before any that is called by path, so that trying a
    file of one's own changes no row of the others.
    """
    owners: dict[str, LoadedStrategy] = {}
    for strategy in sorted(strategies, key=lambda one: ".py" in one.spec):
        owners.setdefault(strategy.label, strategy)
    return [
        strategy.label if owners[strategy.label] is strategy else strategy.spec
        for strategy in strategies
    ]


def _number_duplicates(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, the second of one name as `name#2`, the third as `name#3`."""
    return tuple(
        name if (nth := names[: place + 1].count(name)) == 1 else f"{name}#{nth}"
        for place, name in enumerate(names)
    )


def _refuse_duplicates(matchups: Sequence[Matchup], prefix: str) -> None:
    seen = set()
    for matchup in matchups:
        key = (matchup.label, matchup.ruleset.spec)
        if key in seen:
            raise ExperimentError(
                f"{prefix}the matchup {matchup.label!r} is given twice",
                hint="leave one out: the same deals would be played twice",
            )
        seen.add(key)


def _cut_units(
    experiment: Experiment,
    matchups: Sequence[Matchup],
    strategies: Sequence[LoadedStrategy],
    *,
    has_forks: bool = False,
) -> tuple[WorkUnit, ...]:
    cut = _cut_forks if has_forks else _cut_deals
    units: list[WorkUnit] = []
    for number, matchup in enumerate(matchups):
        decides = describe_matchup(
            matchup.label,
            matchup.ruleset,
            [strategies[one].digest for one in matchup.strategies],
            experiment.seed,
        )
        units += (
            WorkUnit(hash_unit(decides, first, n, has_forks=has_forks), number, first, n)
            for first, n in cut(experiment, matchup)
        )
    return tuple(units)


def _check_units(experiment: Experiment, matchups: Sequence[Matchup], prefix: str) -> None:
    """Raise CountError, before they are cut, where there would be more units than can be kept."""
    n_units = 0
    for matchup in matchups:
        size = experiment.unit_deals or _choose_unit_deals(matchup)
        n_units += -(-matchup.n_deals // size)
        if experiment.has_stop_rule:
            n_units += matchup.n_deals // CHECKPOINT_DEALS
    if n_units > MAX_UNITS:
        raise CountError(
            f"{prefix}games: they would be cut into {n_units:,} units, and a run has at most "
            f"{MAX_UNITS:,}",
            hint="play fewer games, or more deals a unit (unit_deals, --unit-deals); several runs "
            "with seeds far apart go on where one ends",
        )


def _cut_deals(experiment: Experiment, matchup: Matchup) -> Iterator[tuple[int, int]]:
    """Yield (first deal, number of deals) of each unit of a matchup."""
    size = experiment.unit_deals or _choose_unit_deals(matchup)
    first = 0
    while first < matchup.n_deals:
        n = min(size, matchup.n_deals - first)
        if experiment.has_stop_rule:
            n = min(n, CHECKPOINT_DEALS - first % CHECKPOINT_DEALS)
        yield first, n
        first += n


def _cut_forks(experiment: Experiment, matchup: Matchup) -> Iterator[tuple[int, int]]:
    """Yield (first deal, number of deals) of each unit that forks; a game is then several."""
    n_deals = experiment.fork_games // matchup.n_rotations
    several = max(_MIN_FORK_DEALS, -(-n_deals // _UNITS_A_MATCHUP))
    size = experiment.unit_deals or min(_MAX_FORK_DEALS, several)
    for first in range(0, n_deals, size):
        yield first, min(size, n_deals - first)


def _choose_unit_deals(matchup: Matchup) -> int:
    """Return a size that bounds a unit's rows, and gives several jobs work in a small matchup."""
    rows_a_deal = matchup.n_rotations * matchup.n_rounds
    bound = max(1, min(_MAX_UNIT_DEALS, _MAX_UNIT_ROWS // rows_a_deal))
    return min(bound, max(_MIN_UNIT_DEALS, -(-matchup.n_deals // _UNITS_A_MATCHUP)))
