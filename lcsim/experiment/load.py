"""Reads experiments, from TOML or from a command line, and checks all that needs no strategy."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lcsim.errors import CountError, ExperimentError, LcsimError
from lcsim.experiment.complain import describe_place, explain_validation, locate, write_path
from lcsim.experiment.model import (
    MAX_QUESTION,
    Expectation,
    ExpectationText,
    Experiment,
    ExperimentText,
)
from lcsim.experiment.toml import parse_toml, read_text
from lcsim.rules import GAMES, Ruleset, build_ruleset, get_game, parse_ruleset

SEED_LIMIT = 2**64
MAX_GAMES = 10**10
MAX_UNIT_DEALS = 10**6


def load_experiment(path: Path) -> Experiment:
    """Read an experiment file.

    Raises:
        ExperimentError: the file cannot be read, is no TOML, or a key in it is wrong.
        CountError: a seed, a number of games or of players that cannot be.
    """
    text = read_text(path, "the experiment")
    return parse_experiment(text, path=path)


def parse_experiment(text: str, *, path: Path | None = None) -> Experiment:
    """Make an experiment of the text of a TOML file; `path` is for messages and relative paths.

    Raises:
        ExperimentError: the text is no TOML, or a key in it is wrong.
        CountError: a seed, a number of games or of players that cannot be.
    """
    where = describe_place(path)
    values = parse_toml(text, where)
    if {"strategy", "against"} <= set(values):
        raise ExperimentError(
            f"{where} is a tuning, not an experiment", hint=f"give it to: lcsim tune {path or ''}"
        )
    return _build_experiment(values, path=path)


def build_match_experiment(
    specs: Sequence[str],
    ruleset: str = "duel",
    *,
    games: int,
    seed: int,
    unit_deals: int | None = None,
    precision: float | None = None,
    sprt: tuple[float, float] | None = None,
) -> Experiment:
    """Return the experiment of one matchup of `specs` under `ruleset`: what `lcsim match` plays.

    Raises:
        UsageError: one of its kinds, for a ruleset or a number that cannot be.
    """
    kind = parse_ruleset(ruleset).kind  # said plainly where it cannot be: there is no file
    counts = get_game(kind).player_counts
    if len(specs) not in counts:
        raise CountError(
            f"a game of {kind} has {describe_players(counts)}, not {len(specs)}",
            hint="name as many strategies as there are players; the same one may be named again",
        )
    values: dict[str, Any] = {
        "question": _ask_who_wins(specs),
        "seed": seed,
        "games": games,
        "players": len(specs),
        "rulesets": [ruleset],
        "strategies": list(dict.fromkeys(specs)),
        "matchups": [list(specs)],
        "unit_deals": unit_deals,
        "precision": precision,
        "sprt": None if sprt is None else list(sprt),
    }
    return _build_experiment(values, path=None)


def _ask_who_wins(specs: Sequence[str]) -> str:
    """Return the question of a match; it names the strategies unless that is too long."""
    question = f"Who wins, {' or '.join(specs)}, and by how much?"
    return question if len(question) <= MAX_QUESTION else "Who wins, and by how much?"


def _build_experiment(values: Mapping[str, Any], *, path: Path | None) -> Experiment:
    where = describe_place(path)
    try:
        text = ExperimentText.model_validate(values)
    except ValidationError as error:
        raise explain_validation(error, ExperimentText, where) from None
    prefix = f"{path}: " if path else ""
    rulesets = _parse_rulesets(text, prefix)
    _check_counts(text, rulesets, prefix)
    _check_forks(text, rulesets[0].kind, prefix)
    matchups, strategies = _read_matchups(text, prefix)
    return Experiment(
        question=text.question,
        cost=text.cost,
        kind=rulesets[0].kind,
        seed=text.seed,
        games=text.games,
        players=text.players,
        rulesets=rulesets,
        strategies=strategies,
        matchups=matchups,
        unit_deals=text.unit_deals,
        precision=text.precision,
        sprt=None if text.sprt is None else (text.sprt[0], text.sprt[1]),
        fork_games=text.forks.games if text.forks else 0,
        expectations=_read_expectations(text.expect, prefix),
        path=path,
        folder=path.parent if path else None,
    )


def _parse_rulesets(text: ExperimentText, prefix: str) -> tuple[Ruleset, ...]:
    rulesets: list[Ruleset] = []
    for number, entry in enumerate(text.rulesets):
        at = f"{prefix}rulesets[{number}]"
        try:
            ruleset = _parse_ruleset(entry)
        except LcsimError as error:
            raise locate(error, at) from error
        if ruleset in rulesets:
            raise ExperimentError(
                f"{at}: {ruleset.spec} is given twice", hint="leave one of them out"
            )
        if ruleset.kind != (text.kind or (rulesets[:1] and rulesets[0].kind) or ruleset.kind):
            raise ExperimentError(
                f"{at}: {ruleset.spec} is a ruleset of the game {ruleset.kind!r}, "
                f"and this experiment is about {text.kind or rulesets[0].kind!r}",
                hint="write an experiment for each game",
            )
        rulesets.append(ruleset)
    return tuple(rulesets)


def _parse_ruleset(entry: str | Mapping[str, Any]) -> Any:
    if isinstance(entry, str):
        return parse_ruleset(entry)
    changes = {key: value for key, value in entry.items() if key != "preset"}
    return build_ruleset(entry["preset"], changes)


def _check_counts(text: ExperimentText, rulesets: Sequence[Ruleset], prefix: str) -> None:
    if not 0 <= text.seed < SEED_LIMIT:
        raise CountError(
            f"{prefix}seed: {text.seed} lies outside 0 … 2^64 - 1",
            hint=f"give a whole number from 0 to {SEED_LIMIT - 1}",
        )
    if not 0 < text.games <= MAX_GAMES:
        raise CountError(
            f"{prefix}games: {text.games} is not possible",
            hint=f"give a whole number of games a matchup, from 1 to {MAX_GAMES:,}",
        )
    if text.precision is not None and text.precision <= 0:
        raise CountError(
            f"{prefix}precision: {text.precision:g} is not above 0",
            hint="give the half-width of the interval that you want, in points a game",
        )
    if text.sprt is not None and not text.sprt[0] < text.sprt[1]:
        raise CountError(
            f"{prefix}sprt: {text.sprt[0]:g} is not below {text.sprt[1]:g}",
            hint="give two differences in points a game, the smaller one first: [0, 1]",
        )
    if text.precision is not None and text.sprt is not None:
        raise ExperimentError(
            f"{prefix}precision and sprt both say when to stop", hint="leave one of them out"
        )
    counts = get_game(rulesets[0].kind).player_counts
    if text.players not in counts:
        raise CountError(
            f"{prefix}players: a game of {rulesets[0].kind} has {describe_players(counts)}, "
            f"not {text.players}",
            hint="name as many strategies as there are players",
        )


def _check_forks(text: ExperimentText, kind: str, prefix: str) -> None:
    if text.forks is None:
        return
    if get_game(kind).play_forks is None:
        able = [name for name, game in GAMES.items() if game.play_forks is not None]
        raise ExperimentError(
            f"{prefix}forks: the game {kind!r} has no moves that lcsim forks",
            hint=f"leave [forks] out; it is for {', '.join(able)}",
        )
    if not 0 < text.forks.games <= text.games:
        raise CountError(
            f"{prefix}forks.games: {text.forks.games:,} is not possible",
            hint="give the number of games a matchup to fork, from 1 to all of them: "
            f"{text.games:,}",
        )


def check_unit_deals(unit_deals: int | None, prefix: str = "") -> None:
    """Raise CountError for a size of work units that cannot be, or would not fit into memory."""
    if unit_deals is not None and not 0 < unit_deals <= MAX_UNIT_DEALS:
        raise CountError(
            f"{prefix}unit_deals: {unit_deals} is not possible",
            hint=f"give a whole number of deals from 1 to {MAX_UNIT_DEALS:,}, or leave it out",
        )


def describe_players(counts: range) -> str:
    """Return "2 players", or "2 to 4 players"."""
    first, last = counts[0], counts[-1]
    return f"{first} players" if first == last else f"{first} to {last} players"


def check_games(
    games: int, n_rotations: Sequence[int], prefix: str = "", *, key: str = "games"
) -> None:
    """Raise CountError unless every matchup can play `games` in whole deal groups.

    `n_rotations` has the rotations of each matchup: one game a seat of each strategy. `key` is
    where the number stands.
    """
    step = math.lcm(*n_rotations)
    if games % step == 0:
        return
    below, above = games - games % step, games - games % step + step
    near = f"{below:,} or {above:,}" if below else f"{above:,}"
    raise CountError(
        f"{prefix}{key}: {games:,} is no multiple of {step}, the seat rotations of a deal",
        hint=f"the nearest that is possible: {near}",
    )


def _read_matchups(text: ExperimentText, prefix: str) -> tuple[Any, tuple[str, ...]]:
    """Return the matchups and the strategies' texts, which explicit matchups may give alone."""
    if isinstance(text.matchups, str):
        if not text.strategies:
            raise ExperimentError(
                f"{prefix}strategies: is missing",
                hint='name them: strategies = ["balanced", "ladder"]',
            )
        return text.matchups, tuple(text.strategies)
    matchups = tuple(tuple(group) for group in text.matchups)
    named = dict.fromkeys(name for group in matchups for name in group)
    for number, group in enumerate(matchups):
        for seat, name in enumerate(group):
            if text.strategies and name not in text.strategies:
                at = prefix + write_path(["matchups", number, seat])
                raise ExperimentError(
                    f"{at}: {name!r} is not among the strategies {', '.join(text.strategies)}",
                    hint="name it under strategies too, or leave strategies out",
                )
    return matchups, tuple(text.strategies or named)


def _read_expectations(tables: Sequence[ExpectationText], prefix: str) -> tuple[Expectation, ...]:
    found: list[Expectation] = []
    for number, table in enumerate(tables):
        at = f"{prefix}expect[{number}]"
        bounds = [
            Expectation(table.strategy, table.against, table.ruleset, quantity, side, bound, at)
            for quantity in ("win_rate", "diff")
            for side in ("above", "below")
            if (bound := getattr(table, f"{quantity}_{side}")) is not None
        ]
        if not bounds:
            raise ExperimentError(
                f"{at}: says nothing to check",
                hint="add win_rate_above, win_rate_below, diff_above or diff_below",
            )
        _check_bounds(table, at)
        found += bounds
    return tuple(found)


def _check_bounds(table: ExpectationText, at: str) -> None:
    """Raise ExperimentError for bounds with nothing between them."""
    for quantity in ("win_rate", "diff"):
        low, high = getattr(table, f"{quantity}_above"), getattr(table, f"{quantity}_below")
        if low is not None and high is not None and low >= high:
            raise ExperimentError(
                f"{at}: nothing is above {low:g} and below {high:g}",
                hint=f"give a {quantity}_above that is less than {quantity}_below",
            )
