"""Positions of the card game: read, checked, told again, and the moves there are in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from lcsim.advise.judge import (
    FEWEST_LATER,
    LATER_DEALS,
    LATER_ROUNDS,
    Judge,
    judge_last_round,
)
from lcsim.advise.position import (
    DRAW,
    MOST_POINTS,
    PLAY,
    Notify,
    Position,
    PositionText,
    Room,
    check_draw_pile,
    check_hand,
    check_round,
    check_turn,
    fail,
    parse_cards,
    parse_play,
)
from lcsim.rules.duel import GAME, simulate
from lcsim.rules.duel.cards import (
    CARDS_PER_COLOR,
    MAX_COLORS,
    WAGER_MASK,
    color_of,
    index_of,
    is_wager,
    make_card,
    parse_card,
    write_card,
    write_mask,
)
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK, accepts_after, can_lay
from lcsim.rules.duel.referee import Seat, Table
from lcsim.rules.duel.ruleset import SEATS, DuelRuleset, build_color_mask

_UNSEEN = -1  # a card of the draw pile

EXAMPLE = """\
# A position of the card game, as the seat to move sees it.
# A card is color and rank, a wager w: R10, B2, Yw. Within a color, cards stand in their order.

ruleset = "duel"
round = 2                  # from 0: the last of three
points = [31, 24]          # of the rounds before: mine, theirs
draw_pile = 17             # cards in it: may be left out, and is checked against all others

hand = "Rw R9 G4 G10 B3 B8 Y6 W2"
mine = "R3 R5 R7 G2 G3 W4 W5 W8"             # my expeditions
theirs = "Bw B2 B4 B5 Y3 Y4 Y8 Y9 W3 W7"     # theirs
discards = "R2 R4 G5 G6 B6 Yw Y2 W6 Ww"      # the piles, each from bottom to top
known_theirs = "B9"                          # seen going from a pile into their hand, still there

# When the card is played and only the draw is asked, take it out of the hand, put it where it lies
# now, and say so:
# played = "lay R9"        # or "discard B3"
"""


_Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]


class DuelText(PositionText):
    """The keys of a position of the card game."""

    ruleset: str = "duel"
    round: Annotated[int, Field(ge=0)] = 0
    points: list[_Points] = Field([0, 0], min_length=2, max_length=2)
    turn: Annotated[int, Field(ge=0)] | None = None
    draw_pile: Annotated[int, Field(ge=0)] | None = None
    hand: str
    mine: str = ""
    theirs: str = ""
    discards: str = ""
    known_theirs: str = ""
    played: str = ""


CARD_ENTRIES = ("hand", "mine", "theirs", "discards", "known_theirs")


def build_position(text: DuelText, ruleset: DuelRuleset) -> Position:
    """Return the position that a text tells; raises PositionError at an entry that cannot be."""
    cards = _read_cards(text, ruleset)
    check_hand(len(cards["hand"]), ruleset.hand_size, text.played)
    check_round(text.round, ruleset)
    if len(cards["known_theirs"]) > ruleset.hand_size:
        known = len(cards["known_theirs"])
        raise fail("known_theirs", f"has {known} cards, and a hand has {ruleset.hand_size}")
    left = check_draw_pile(
        text.draw_pile,
        deck=ruleset.deck_size,
        held=len(cards["hand"]),
        others=[ruleset.hand_size],
        lying=sum(len(cards[entry]) for entry in ("mine", "theirs", "discards")),
    )
    me, them = Seat(), Seat()
    for seat in (me, them):
        seat.accepts[: ruleset.colors] = [build_color_mask(ruleset)] * ruleset.colors
    for entry, seat in (("mine", me), ("theirs", them)):
        for card in cards[entry]:
            _lay(entry, seat, card, ruleset)
    for card in cards["hand"]:
        me.hand[color_of(card)] |= 1 << index_of(card)
    for card in cards["known_theirs"]:
        them.known[color_of(card)] |= 1 << index_of(card)
    them.hand = list(them.known)
    table = Table(ruleset, text.round, list(text.points), [_UNSEEN] * left, [me, them])
    drawn = ruleset.deck_size - SEATS * ruleset.hand_size - left
    table.turn = check_turn(
        text.turn,
        ruleset,
        drawn=drawn,
        taken=len(cards["known_theirs"]),
        laid=[len(cards["mine"]), len(cards["theirs"])],
        has_laid=text.played.startswith("lay "),
    )
    for card in cards["discards"]:
        table.piles[color_of(card)].append(card)
    if not text.played:
        return Position(ruleset, table, PLAY)
    _note_played(text.played, table)
    return Position(ruleset, table, DRAW, text.played)


def _read_cards(text: DuelText, ruleset: DuelRuleset) -> dict[str, list[int]]:
    """Return the cards of each entry, every wager another of its color; raises PositionError."""
    where: dict[int, str] = {}
    wagers = [0] * MAX_COLORS
    found: dict[str, list[int]] = {}
    for entry in CARD_ENTRIES:
        found[entry] = []
        for card in parse_cards(entry, getattr(text, entry), parse_card):
            color, name = color_of(card), write_card(card)
            if is_wager(card) and color < ruleset.colors:
                wagers[color] += 1
                if wagers[color] > ruleset.wagers_per_color:
                    raise fail(
                        entry,
                        f"{name} is there {wagers[color]} times, and the deck has "
                        f"{ruleset.wagers_per_color}",
                    )
                card = make_card(color, wagers[color] - 1)
            elif color >= ruleset.colors or not build_color_mask(ruleset) >> index_of(card) & 1:
                raise fail(entry, f"{name} is not in the deck of {ruleset.spec}")
            elif card in where:
                raise fail(entry, f"{name} is in {where[card]} already")
            where[card] = entry
            found[entry].append(card)
    return found


def _lay(entry: str, seat: Seat, card: int, ruleset: DuelRuleset) -> None:
    color, index = color_of(card), index_of(card)
    if not seat.accepts[color] >> index & 1:
        row = " ".join(map(write_card, seat.rows[color]))
        raise fail(
            entry,
            f"{write_card(card)} cannot follow {row}",
            hint="Name the cards of an expedition in the order in which they were laid.",
        )
    mask, either = build_color_mask(ruleset), int(ruleset.direction == "either")
    seat.accepts[color] = accepts_after(seat.laid[color], index, mask, either)
    seat.laid[color] |= 1 << index
    seat.rows[color].append(card)


def _note_played(text: str, table: Table) -> None:
    """Close the pile that was discarded to; raises PositionError where nothing fits `text`."""
    is_laid, card = parse_play("played", text, parse_card)
    color = color_of(card)
    lie = table.seats[0].rows[color] if is_laid else table.piles[color]
    if not lie or write_card(lie[-1]) != write_card(card):
        place = "the last of my expedition" if is_laid else "on top of its pile"
        raise fail(
            "played",
            f"{write_card(card)} is not {place}",
            hint="With `played`, the other entries tell the table as it is after the play.",
        )
    if not is_laid:
        table.discarded_to = color


def hide_table(table: Table, seat: int, decision: str) -> Position:
    """Return a referee's table as `seat` sees it: it becomes seat 0."""
    me, them = table.seats[seat], table.seats[1 - seat]
    shown = Table(
        table.ruleset,
        table.round,
        [table.points[seat], table.points[1 - seat]],
        [_UNSEEN] * len(table.draw_pile),
        [_copy_seat(me, me.hand), _copy_seat(them, them.known)],
        [list(pile) for pile in table.piles],
        table.turn,
        table.discarded_to,
    )
    return Position(table.ruleset, shown, decision)


def _copy_seat(seat: Seat, hand: list[int]) -> Seat:
    rows = [list(row) for row in seat.rows]
    return Seat(list(hand), list(seat.laid), list(seat.accepts), list(seat.known), rows)


def list_entries(position: Position) -> dict[str, Any]:
    """Return the entries of the text that tells this position."""
    table: Table = position.table
    me, them = table.seats
    entries: dict[str, Any] = {
        "ruleset": position.ruleset.spec,
        "round": table.round,
        "points": list(table.points),
        "turn": table.turn,
        "draw_pile": len(table.draw_pile),
        "hand": _write_masks(me.hand),
        "mine": _write_rows(me.rows),
        "theirs": _write_rows(them.rows),
        "discards": _write_rows(table.piles),
        "known_theirs": _write_masks(them.known),
        "played": position.played,
    }
    return {name: value for name, value in entries.items() if value != "" or name == "hand"}


def _write_masks(masks: list[int]) -> str:
    return " ".join(filter(None, (write_mask(color, mask) for color, mask in enumerate(masks))))


def _write_rows(rows: list[list[int]]) -> str:
    return " ".join(write_card(card) for row in rows for card in row)


def list_moves(position: Position) -> list[int]:
    """Return the different moves: of equal wagers one, lays before discards."""
    table: Table = position.table
    view = position.view
    if position.decision == DRAW:
        return [DRAW_DECK, *(c for c in range(MAX_COLORS) if view.drawable >> c & 1)]
    cards = list(_list_different(table.seats[0].hand))
    lays = [card for card in cards if _can_lay(view, card)]
    return [*lays, *(card + DISCARD for card in cards)]


def _list_different(hand: list[int]) -> Iterator[int]:
    for color, mask in enumerate(hand):
        wagers = mask & WAGER_MASK
        chosen = mask & ~WAGER_MASK | (wagers & -wagers)
        for index in range(CARDS_PER_COLOR):
            if chosen >> index & 1:
                yield make_card(color, index)


def _can_lay(view: Any, card: int) -> bool:
    color = color_of(card)
    return bool(can_lay(view.hand[color], view.playable[color], index_of(card)))


def name_move(position: Position, move: int) -> str:
    """Return a move in words: "lay R9", "discard B2", "draw from the draw pile", "take Y7"."""
    if position.decision == PLAY:
        return f"{'discard' if move & DISCARD else 'lay'} {write_card(move & ~DISCARD)}"
    if move == DRAW_DECK:
        return "draw from the draw pile"
    return f"take {write_card(position.view.discard_top[move])}"


def tell_play(before: Position, after: Position) -> str:
    """Return what seat 0 played between two positions of its turn, as `played` has it."""
    was, now = before.table.seats[0], after.table.seats[0]
    color = next(c for c in range(MAX_COLORS) if was.hand[c] != now.hand[c])
    index = (was.hand[color] & ~now.hand[color]).bit_length() - 1
    is_laid = was.laid[color] != now.laid[color]
    return f"{'lay' if is_laid else 'discard'} {write_card(make_card(color, index))}"


def lay_out(position: Position, guest: Any, rng: Any) -> Any:
    """Return the position as a table of the simulation, the order of its piles known."""
    table = simulate.lay_out(position.view, guest, rng)
    table["has_order"] = 1
    for color, pile in enumerate(position.table.piles):
        table["state"]["pile"][0, color, : len(pile)] = pile
    return table


def build_judge(position: Position, compiled: Any, seed: int, notify: Notify) -> Judge:
    """Return what each margin of this round is worth.

    Before the last round, the later ones are played many times by the strategy against itself, and
    each of their ends may follow.
    """
    view = position.view
    lead, n_later = view.my_points - view.their_points, view.rounds - view.round - 1
    if not n_later:
        return judge_last_round(lead)
    GAME.load_kernel(notify)
    rules = replace(position.ruleset, rounds=n_later)
    n_deals = max(FEWEST_LATER, LATER_ROUNDS // n_later)
    rows = GAME.play_deals(
        rules, seed=seed, first_deal=LATER_DEALS, n_deals=n_deals, strategies=[compiled, compiled]
    )
    points = GAME.settle_games(rules, rows).points
    margins = (points[..., 0] - points[..., 1]).ravel()
    later = np.sort(np.concatenate([margins, -margins])).astype(np.float64)
    return Judge(lead, later, n_deals)


ROOM = Room(
    model=DuelText,
    example=EXAMPLE,
    build=build_position,
    hide=hide_table,
    list_entries=list_entries,
    list_moves=list_moves,
    name_move=name_move,
    tell_play=tell_play,
    lay_out=lay_out,
    build_judge=build_judge,
)
