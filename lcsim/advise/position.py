"""A position: what the seat to move knows, as a text that people write and as a game's own table.

A text is a small TOML file. What stands in it is a game's own (`lcsim.advise.duel`, `.board`); that
its cards are there, in a possible number and order, is checked entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from lcsim.advise.judge import Judge
from lcsim.errors import CountError, LcsimError, PositionError

Notify = Callable[[str], None] | None
PLAY, DRAW, STEP = "choose_play", "choose_draw", "choose_step"
ASKED = {PLAY: "play", DRAW: "draw", STEP: "step"}
MOST_POINTS = 100_000_000
"""Of a player: more than any ruleset gives, and few enough to add up anywhere."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the seat to move, seat 0 of `table`, knows; what it does not is missing there.

    `decision` is what is asked: PLAY, DRAW, or STEP where the game has that. `played` says, after
    the play, what was played in the same turn. `mover` is the spec of who is to move, where the
    position was taken from a game.
    """

    ruleset: Any
    table: Any
    decision: str
    played: str = ""
    mover: str = ""

    @property
    def view(self) -> Any:
        """What a strategy in that seat would see."""
        return self.table.view(0)


class PositionText(BaseModel):
    """The keys that every game's positions have."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    ruleset: str


@dataclass(frozen=True, slots=True)
class Room:
    """What a game knows of positions and moves; a table's seat to move is seat 0.

    `build` reads the checked text, `hide` takes a referee's table as a seat of it sees it, and
    `list_entries` gives the entries of the text again. `tell_play` says what was played between two
    positions of a turn. `lay_out` gives a table of the game's simulation, and
    `build_judge(position, compiled, seed, notify)` what margins of points are worth.
    """

    model: type[PositionText]
    example: str
    build: Callable[[Any, Any], Position]
    hide: Callable[[Any, int, str], Position]
    list_entries: Callable[[Position], dict[str, Any]]
    list_moves: Callable[[Position], list[int]]
    name_move: Callable[[Position, int], str]
    tell_play: Callable[[Any, Position], str]
    lay_out: Callable[[Position, Any, Any], Any]
    build_judge: Callable[[Position, Any, int, Notify], Judge]


def fail(entry: str, what: str, *, hint: str = "") -> PositionError:
    """Return the error of an entry that cannot be."""
    return PositionError(f"{entry}: {what}", hint=hint)


def check_seed(seed: int) -> None:
    """Raise CountError for a seed that is not an unsigned 64-bit number."""
    if not 0 <= seed < 2**64:
        raise CountError(
            f"the seed is {seed}, and must lie between 0 and 2^64 - 1",
            hint="Give a whole number from 0 to 2^64 - 1.",
        )


def split_words(text: str) -> list[str]:
    """Return the words of an entry, between spaces or commas."""
    return re.split(r"[\s,]+", text.strip()) if text.strip(" \n\t,") else []


def parse_cards(entry: str, text: str, parse: Callable[[str], int]) -> list[int]:
    """Return the codes of the cards of an entry, in its order; raises PositionError."""
    return list(_parse_each(entry, split_words(text), parse))


def _parse_each(entry: str, words: Iterable[str], parse: Callable[[str], int]) -> Iterator[int]:
    for word in words:
        if word:
            try:
                yield parse(word)
            except LcsimError as error:
                raise fail(entry, error.message, hint=error.hint) from None


def parse_play(entry: str, text: str, parse: Callable[[str], int]) -> tuple[bool, int]:
    """Return whether a card was laid, and which, from "lay R9" or "discard B2"."""
    words = text.split()
    if len(words) != 2 or words[0] not in {"lay", "discard"}:
        raise fail(
            entry,
            f"{text!r} is no play",
            hint='Write what was played this turn as "lay R9" or "discard B2".',
        )
    (card,) = parse_cards(entry, words[1], parse)
    return words[0] == "lay", card


def check_hand(held: int, size: int, played: str) -> None:
    """Check that a hand is whole before a play, and lacks one card after it."""
    if played and held != size - 1:
        raise fail("hand", f"has {held} cards; it has {size - 1} when one has been played")
    if not played and held != size:
        hint = 'If only the draw is asked, say what was played: played = "lay R9".'
        raise fail("hand", f"has {held} cards; it has {size} before a play", hint=hint)


def check_draw_pile(
    given: int | None, *, deck: int, held: int, others: Sequence[int], lying: int, removed: int = 0
) -> int:
    """Return how many cards the draw pile has: all of the deck that are nowhere else.

    `held` are in my hand, `others` in the other hands, `lying` on the table, `removed` out of the
    round. Raises PositionError where none is left, or where it is another number than `given`.
    """
    left = deck - held - sum(others) - lying - removed
    theirs = " and ".join(map(str, others))
    sum_up = f"{deck} in the deck, {held} in my hand, {theirs} in theirs, {lying} on the table"
    sum_up += f", {removed} taken out" if removed else ""
    if left < 1:
        raise fail("draw_pile", f"no card is left for it, so the round is over ({sum_up})")
    if given is not None and given != left:
        hint = "A card too many is named." if given > left else "A card is not named."
        raise fail(
            "draw_pile", f"is {given}, but the other cards leave {left} ({sum_up})", hint=hint
        )
    return left


def check_round(round_: int, ruleset: Any) -> None:
    """Check that a game has that round."""
    if round_ >= ruleset.rounds:
        last = ruleset.rounds - 1
        raise fail("round", f"is {round_}, and {ruleset.spec} has rounds 0 to {last}")


def check_turn(
    given: int | None, ruleset: Any, *, drawn: int, taken: int, laid: Sequence[int], has_laid: bool
) -> int:
    """Return the turns before this one: where not given, as few as there can have been.

    `drawn` cards have come from the draw pile, `taken` are known to have come from discard piles;
    `laid` are those in rows, by seat, mine first; `has_laid` says whether one of mine is of this
    turn.
    """
    before = [laid[0] - has_laid, *laid[1:]]
    turn = drawn + taken
    while any(n > most for n, most in zip(before, _count_turns(turn, len(laid)), strict=True)):
        turn += 1
    if given is not None:
        _check_given_turn(given, drawn=drawn, taken=taken, before=before)
        turn = given
    if turn >= ruleset.turn_limit:
        raise fail("turn", f"is {turn}, and a round ends after {ruleset.turn_limit} turns")
    return turn


def _check_given_turn(given: int, *, drawn: int, taken: int, before: Sequence[int]) -> None:
    if given < drawn:
        raise fail("turn", f"is {given}, but {drawn} cards have been drawn from the draw pile")
    if given < drawn + taken:
        raise fail(
            "turn",
            f"is {given}, but {drawn} cards have been drawn from the draw pile and {taken} are "
            "known to have been taken from others",
        )
    for seat, (n, most) in enumerate(zip(before, _count_turns(given, len(before)), strict=True)):
        if n > most:
            whose = "I have" if seat == 0 else f"player {seat} after me has"
            raise fail(
                "turn",
                f"is {given}, so {whose} had {most} turns before this one, but {n} cards were laid",
            )


def _count_turns(turn: int, n_seats: int) -> list[int]:
    """Return how many of the turns before this one each seat has had; seat 0 is to move now."""
    full, more = divmod(turn, n_seats)
    return [full + (seat >= n_seats - more) for seat in range(n_seats)]


def render_toml(entries: dict[str, Any]) -> str:
    """Return the entries as the lines of a TOML file; lists of tables come last."""
    tables = {name: value for name, value in entries.items() if _has_tables(value)}
    text = _render_lines({name: v for name, v in entries.items() if name not in tables})
    for name, rows in tables.items():
        text += "".join(f"\n[[{name}]]\n{_render_lines(row)}" for row in rows)
    return text


def _has_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _render_lines(entries: dict[str, Any]) -> str:
    return "".join(f"{name} = {_render_value(value)}\n" for name, value in entries.items())


def _render_value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_render_value, value)) + "]"
    return str(value)
