"""A position out of a game that is played again: what the seat to move knows at one turn of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lcsim.advise.position import DRAW, PLAY, Position
from lcsim.advise.text import find_room
from lcsim.errors import CountError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import LoadedStrategy, check_code, load_strategy


class _Found(BaseException):
    """The replay has come to where it was to stop; the referee would blame an Exception."""


class _Finder:
    """Watches a replay until the decision that is looked for."""

    def __init__(self, kind: str, *, round_: int, turn: int, decision: str) -> None:
        self._room = find_room(kind)
        self._round, self._turn, self._decision = round_, turn, decision
        self._before: Position | None = None
        self.position: Position | None = None
        self.last = (0, 0)

    def __call__(self, table: Any, seat: int, decider: Any, rng: Any, decision: str) -> None:
        self.last = max(self.last, (table.round, table.turn))
        if (table.round, table.turn) != (self._round, self._turn):
            return
        if decision not in (PLAY, DRAW):
            return
        position = self._room.hide(table, seat, decision)
        if decision == PLAY:
            self._before = position
        else:
            position = replace(position, played=self._room.tell_play(self._before, position))
        if decision == self._decision:
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
    folders: Sequence[Path] = (),
) -> Position:
    """Return the position at a turn of a game, as the seat to move sees it.

    `round_` and `turn` count from 0, `turn` over all seats; `decision` is PLAY or DRAW.

    Raises:
        CountError: there is no such seat, round or turn.
        UsageError, StrategyError: the game cannot be played.
    """
    rules = parse_ruleset(ruleset)
    strategies = _seat(specs, rules, rotation, folders)
    finder = _Finder(rules.kind, round_=round_, turn=turn, decision=decision)
    deciders = [one.decider for one in strategies]
    try:
        get_game(rules.kind).replay(
            rules, seed=seed, deal=deal, rotation=rotation, strategies=deciders, watch=finder
        )
    except _Found:
        assert finder.position is not None
        return finder.position
    last_round, last_turn = finder.last
    raise CountError(
        f"that game has no turn {turn} of round {round_}"
        + (" with a draw" if decision == DRAW else ""),
        hint=f"It ends with turn {last_turn} of round {last_round}; both count from 0.",
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
