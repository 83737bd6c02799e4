"""A position out of a game that is played again: what the seat to move knows at one turn of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lcsim.advise.position import ASKED, DRAW, PLAY, STEP, Position, check_seed
from lcsim.advise.text import find_room
from lcsim.errors import CountError, UsageError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import LoadedStrategy, check_code, load_strategy


class _Found(BaseException):
    """The replay has come to where it was to stop; the referee would blame an Exception."""


class _Finder:
    """Watches a replay until the decision that is looked for."""

    def __init__(self, kind: str, *, round_: int, turn: int, decision: str, step: int) -> None:
        self._room = find_room(kind)
        self._round, self._turn, self._decision, self._step = round_, turn, decision, step
        self._before: Position | None = None
        self.position: Position | None = None
        self.steps = 0  # of that turn, so far
        self.last = (0, 0)

    @property
    def was_there(self) -> bool:
        """Whether that turn was played at all."""
        return self._before is not None

    def __call__(self, table: Any, seat: int, decider: Any, rng: Any, decision: str) -> None:
        self.last = max(self.last, (table.round, table.turn))
        if (table.round, table.turn) != (self._round, self._turn):
            return
        position = replace(self._room.hide(table, seat, decision), mover=decider.spec)
        if decision == PLAY:
            self._before = position
        else:
            position = replace(position, played=self._room.tell_play(self._before, position))
        self.steps += decision == STEP
        if decision == self._decision and (decision != STEP or self.steps > self._step):
            self.position = position
            raise _Found


def take_position(
    specs: Sequence[str],
    *,
    ruleset: str = "duel",
    seed: int = 42,
    deal: int = 0,
    turn: int,
    round_: int = 0,
    rotation: int = 0,
    decision: str = PLAY,
    step: int = 0,
    folders: Sequence[Path] = (),
) -> Position:
    """Return the position at a turn of a game, as the seat to move sees it.

    `round_` and `turn` count from 0, `turn` over all seats; `decision` is PLAY, DRAW or, on the
    board, STEP, and then `step` says which of that turn's, from 0.

    Raises:
        CountError: there is no such seat, round, turn or step, or no such deal or seed.
        UsageError, StrategyError: the game cannot be played.
    """
    rules = parse_ruleset(ruleset)
    _check_address(rules, decision, seed=seed, deal=deal)
    strategies = _seat(specs, rules, rotation, folders)
    finder = _Finder(rules.kind, round_=round_, turn=turn, decision=decision, step=step)
    deciders = [one.decider for one in strategies]
    try:
        get_game(rules.kind).replay(
            rules, seed=seed, deal=deal, rotation=rotation, strategies=deciders, watch=finder
        )
    except _Found:
        assert finder.position is not None
        return finder.position
    raise _explain_missing(finder, decision, turn=turn, round_=round_, step=step)


def _check_address(rules: Any, decision: str, *, seed: int, deal: int) -> None:
    check_seed(seed)
    if not 0 <= deal < 2**62:
        raise CountError(
            f"the deal is {deal}, and must lie between 0 and 2^62 - 1",
            hint="Give a whole number from 0 on.",
        )
    if decision not in get_game(rules.kind).author.decisions:
        raise UsageError(
            f"{ASKED.get(decision, decision)!r} is no decision of {rules.spec}",
            hint="A play and a draw are; a step is one of the board game.",
        )


def _explain_missing(
    finder: _Finder, decision: str, *, turn: int, round_: int, step: int
) -> CountError:
    """Return the error of a decision that the game has not come to."""
    last_round, last_turn = finder.last
    place = f"turn {turn} of round {round_}"
    if not finder.was_there:
        hint = f"It ends with turn {last_turn} of round {last_round}; both count from 0."
        return CountError(f"that game has no {place}", hint=hint)
    if decision == DRAW:
        hint = "Its last bridge was crossed in it: the round ended at once."
        return CountError(f"that game has no draw in {place}", hint=hint)
    if finder.steps:
        hint = f"It has {finder.steps}; they count from 0."
        return CountError(f"that game has no step {step} in {place}", hint=hint)
    return CountError(
        f"that game has no step in {place}",
        hint="A step is due where a pawn comes to a step tile or its card is laid at the end of "
        "its path: `lcsim replay` tells where pawns go.",
    )


def _seat(
    specs: Sequence[str], rules: Any, rotation: int, folders: Sequence[Path]
) -> list[LoadedStrategy]:
    """Return who plays; raises CountError where that is not a full table."""
    game = get_game(rules.kind)
    if len(specs) not in game.player_counts:
        allowed = ", ".join(map(str, game.player_counts))
        raise CountError(
            f"{len(specs)} strategies for a game of {rules.spec}, which takes {allowed}",
            hint="Name a strategy for every seat; the same one may be named again.",
        )
    if not 0 <= rotation < len(specs):
        raise CountError(
            f"the rotation is {rotation}, and there are {len(specs)} (0 to {len(specs) - 1})",
            hint="A deal is played once per seat rotation.",
        )
    strategies = [load_strategy(spec, kind=rules.kind, folders=folders) for spec in specs]
    for one in strategies:
        check_code(one)
    return strategies
