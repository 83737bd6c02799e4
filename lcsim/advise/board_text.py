"""Positions of the board game: read from their text, and checked entry by entry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from lcsim.advise.board_reach import Side, check_reach
from lcsim.advise.position import (
    DRAW,
    MOST_POINTS,
    PLAY,
    STEP,
    Position,
    PositionText,
    check_draw_pile,
    check_hand,
    check_round,
    check_turn,
    fail,
    parse_cards,
    parse_play,
    split_words,
)
from lcsim.errors import LcsimError
from lcsim.rules.board.cards import (
    COLORS,
    MAX_COLORS,
    RANK_MASK,
    add_card,
    color_of,
    parse_card,
    rank_of,
    write_card,
)
from lcsim.rules.board.legal import accepts_after
from lcsim.rules.board.outcome import name_tile
from lcsim.rules.board.ruleset import (
    MAX_SEATS,
    MAX_SPACES,
    NO_TILE,
    BoardRuleset,
    build_color_mask,
    build_tiles,
    check_players,
)
from lcsim.rules.board.ruleset import STEP as STEP_TILE
from lcsim.rules.board.table import NO_LEADER, Seat, Table

UNSEEN = -1  # a card of the draw pile, or of those taken out of the round
_PAWN = re.compile(r"([A-Z])(\d{1,2})(L?)")
_TILE = re.compile(r"([A-Z])(\d{1,2}):([a-z]+\d*)")
_Count = Annotated[int, Field(ge=0)]
_Points = Annotated[int, Field(ge=0, le=MOST_POINTS)]

EXAMPLE = '''\
# A position of the board game, as the seat to move sees it.
# A card is color and rank, R10 or B0; a pawn is color and space, with L for the leader.

ruleset = "board"
round = 1                  # from 0: the second of three
points = 35                # mine, with the VP tiles of this round
artefacts = 2              # mine, of the whole game
draw_pile = 41             # cards in it: may be left out, and is checked against all others

hand = "R4 R7 G1 G6 W5 W9 B3 Y10"
mine = "R0 R2 R2 R3 W1 W4 B8"                # my rows, each in its order
pawns = "R5L W2 B1"
discards = "G0 G3 B0 Y1 Y2 Y4"               # the piles, each from bottom to top
tiles = """
R3:vp5 R6:step R7:artefact R9:vp10
G2:step G4:vp10 G5:artefact G7:step G9:artefact
W2:step W3:vp5 W5:artefact W7:step W9:vp15
B3:artefact B4:step B6:vp10 B7:artefact B9:step
Y2:vp15 Y4:artefact Y5:step Y7:artefact Y9:step
"""                        # place and tile; R5 had an artefact, which was taken

# One for each other player, the next to play first.
[[others]]
points = 20
artefacts = 1
mine = "R1 R5 R6 R6 R8 G2 G2 G4 Y0 Y1"
pawns = "R5 G3 Y3L"
known = "B5"               # seen going from a pile into their hand, still there

# When the card is played and only the draw is asked, take it out of the hand, put it where it lies
# now, and say so at the top:
# played = "lay R4"        # or "discard B3"
# Where a step is asked, too: the pawn has moved for the card laid, and for the steps before.
# step = true
'''


class OtherText(BaseModel):
    """The keys of another player."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    points: _Points = 0
    artefacts: _Count = 0
    mine: str = ""
    pawns: str = ""
    known: str = ""


class BoardText(PositionText):
    """The keys of a position of the board game."""

    ruleset: str = "board"
    round: _Count = 0
    points: _Points = 0
    artefacts: _Count = 0
    turn: _Count | None = None
    draw_pile: _Count | None = None
    hand: str
    mine: str = ""
    pawns: str = ""
    discards: str = ""
    tiles: str
    played: str = ""
    step: bool = False
    others: Annotated[list[OtherText], Field(min_length=1)]


def build_position(text: BoardText, ruleset: BoardRuleset) -> Position:
    """Return the position that a text tells; raises PositionError at an entry that cannot be."""
    n_players = len(text.others) + 1
    _check_others(n_players, ruleset)
    cards = _read_cards(text, ruleset)
    check_hand(len(cards["hand"]), ruleset.hand_size, text.played)
    check_round(text.round, ruleset)
    lying, known = (_count_cards(cards, kinds) for kinds in (("mine", "discards"), ("known",)))
    left = check_draw_pile(
        text.draw_pile,
        deck=ruleset.deck_size,
        held=len(cards["hand"]),
        others=[ruleset.hand_size] * (n_players - 1),
        lying=lying,
        removed=ruleset.removed(n_players),
    )
    sides = list(_build_sides(text, cards, ruleset))
    seats = [side.seat for side in sides]
    table = Table(
        ruleset,
        text.round,
        seats,
        [UNSEEN] * left,
        [UNSEEN] * ruleset.removed(n_players),
        _read_tiles(text.tiles, ruleset, seats),
    )
    table.crossings = sum(s > ruleset.bridge_after for seat in seats for s in seat.spaces)
    if table.crossings >= ruleset.crossings_to_end:
        raise fail("pawns", f"{table.crossings} have crossed, so the round is over")
    table.turn = check_turn(
        text.turn,
        ruleset,
        drawn=lying - bool(text.played),
        taken=known,
        laid=[len(side.cards) for side in sides],
        has_laid=text.played.startswith("lay "),
    )
    for card in cards["discards"]:
        table.piles[color_of(card)].append(card)
    if text.played:
        _note_played(text.played, table, cards["mine"])
    if text.step:
        _check_step(text.played, table)
    check_reach(table, sides, is_stepping=text.step)
    asked = STEP if text.step else DRAW if text.played else PLAY
    return Position(ruleset, table, asked, text.played)


def _check_others(n_players: int, ruleset: BoardRuleset) -> None:
    if n_players > MAX_SEATS:
        raise fail("others", f"are {n_players - 1}, and the game is played by {MAX_SEATS} at most")
    try:
        check_players(ruleset, n_players)
    except LcsimError as error:
        raise fail("others", error.message, hint=error.hint) from None


def _count_cards(cards: dict[str, list[int]], kinds: tuple[str, ...]) -> int:
    """Return how many cards there are in entries of some kinds, of all players."""
    return sum(len(found) for entry, found in cards.items() if entry.endswith(kinds))


def _read_cards(text: BoardText, ruleset: BoardRuleset) -> dict[str, list[int]]:
    """Return the cards of each entry; raises PositionError."""
    texts = {"hand": text.hand, "mine": text.mine, "discards": text.discards}
    for number, other in enumerate(text.others):
        texts |= {f"others[{number}].mine": other.mine, f"others[{number}].known": other.known}
    counts: Counter[int] = Counter()
    found: dict[str, list[int]] = {}
    ranks = range(ruleset.lowest_rank, ruleset.highest_rank + 1)
    for entry, words in texts.items():
        found[entry] = parse_cards(entry, words, parse_card)
        for card in found[entry]:
            counts[card] += 1
            if color_of(card) >= ruleset.colors or rank_of(card) not in ranks:
                raise fail(entry, f"{write_card(card)} is not in the deck of {ruleset.spec}")
            if counts[card] > ruleset.copies:
                raise fail(
                    entry,
                    f"{write_card(card)} is there {counts[card]} times, and the deck has "
                    f"{ruleset.copies}",
                )
        if entry.endswith(".known") and len(found[entry]) > ruleset.hand_size:
            raise fail(entry, f"has {len(found[entry])} cards, and a hand has {ruleset.hand_size}")
    return found


def _build_sides(
    text: BoardText, cards: dict[str, list[int]], ruleset: BoardRuleset
) -> Iterator[Side]:
    places: list[tuple[str, BoardText | OtherText]] = [("", text)]
    places += [(f"others[{number}].", other) for number, other in enumerate(text.others)]
    for place, one in places:
        seat = Seat(points=one.points, artefacts=one.artefacts)
        ranks = build_color_mask(ruleset) & RANK_MASK
        seat.accepts = [ranks if color < ruleset.colors else 0 for color in range(MAX_COLORS)]
        for card in cards[f"{place}mine"]:
            _lay(f"{place}mine", seat, card, ruleset)
        _place_pawns(f"{place}pawns", seat, one.pawns, ruleset)
        held = cards[f"{place}known"] if place else cards["hand"]
        for card in held:
            seat.hand[color_of(card)] = add_card(seat.hand[color_of(card)], rank_of(card))
        if place:
            seat.known = list(seat.hand)
        yield Side(place, seat, cards[f"{place}mine"])


def _lay(entry: str, seat: Seat, card: int, ruleset: BoardRuleset) -> None:
    color, rank = color_of(card), rank_of(card)
    if not seat.accepts[color] >> rank & 1:
        raise fail(
            entry,
            f"{write_card(card)} cannot follow on its row",
            hint="Name the cards of a row in the order in which they were laid.",
        )
    ranks = build_color_mask(ruleset) & RANK_MASK
    either = int(ruleset.direction == "either")
    seat.accepts[color] = accepts_after(seat.laid[color], rank, ranks, either)
    seat.laid[color] = add_card(seat.laid[color], rank)


def _place_pawns(entry: str, seat: Seat, text: str, ruleset: BoardRuleset) -> None:
    letters = COLORS[: ruleset.colors]
    for word in split_words(text):
        match = _PAWN.fullmatch(word.upper())
        if not match or match[1] not in letters:
            raise fail(
                entry,
                f"{word!r} is not a pawn",
                hint=f"A pawn is one of {' '.join(letters)} and its space, L after it for the "
                "leader: R9L G7 W4.",
            )
        color, space = COLORS.index(match[1]), int(match[2])
        if not 1 <= space <= ruleset.last_space:
            raise fail(entry, f"{word} is beside its path: spaces are 1 to {ruleset.last_space}")
        if seat.spaces[color] or (match[3] and seat.leader != NO_LEADER):
            raise fail(entry, f"{word} is one too many: one pawn a path, and one leader")
        seat.spaces[color] = space
        if match[3]:
            seat.leader = color
    for color, letter in enumerate(letters):
        if bool(seat.spaces[color]) != bool(seat.laid[color]):
            what = "no pawn for its row" if seat.laid[color] else "a pawn and no row"
            raise fail(entry, f"{letter} has {what}")
    used = sum(map(bool, seat.spaces)) - (seat.leader != NO_LEADER)
    if used > ruleset.explorers:
        raise fail(
            entry,
            f"{used} explorers are on paths, and a player has {ruleset.explorers}",
            hint="One of the pawns is the leader: write L after it.",
        )
    seat.explorers = ruleset.explorers - used


def _read_tiles(text: str, ruleset: BoardRuleset, seats: list[Seat]) -> list[list[int]]:
    """Return the tiles by color and space; artefacts that were taken are missing from the text."""
    names = {name_tile(tile): tile for tile in build_tiles(ruleset)}
    tiles = [[NO_TILE] * (MAX_SPACES + 1) for _ in range(MAX_COLORS)]
    left = Counter(build_tiles(ruleset))
    for word in split_words(text):
        match = _TILE.fullmatch(word)
        if not match or match[1] not in COLORS[: ruleset.colors] or match[3] not in names:
            raise fail(
                "tiles",
                f"{word!r} is not a tile",
                hint=f"A tile is its place and what it is ({', '.join(names)}): R3:step.",
            )
        color, space, tile = COLORS.index(match[1]), int(match[2]), names[match[3]]
        if space not in ruleset.tile_places[color]:
            places = ", ".join(map(str, ruleset.tile_places[color]))
            raise fail("tiles", f"{word} lies where no tile does: those of {match[1]} are {places}")
        if tiles[color][space] != NO_TILE:
            raise fail("tiles", f"{word} lies where one does already")
        if not left[tile]:
            raise fail("tiles", f"{word} is one {match[3]} too many")
        left[tile] -= 1
        tiles[color][space] = tile
    _check_missing(tiles, left, ruleset, seats)
    return tiles


def _check_missing(
    tiles: list[list[int]], left: Counter[int], ruleset: BoardRuleset, seats: list[Seat]
) -> None:
    for color, places in enumerate(ruleset.tile_places):
        furthest = max(seat.spaces[color] for seat in seats)
        for space in places:
            if tiles[color][space] == NO_TILE and space > furthest:
                raise fail(
                    "tiles",
                    f"{COLORS[color]}{space} is missing",
                    hint="Only artefacts are taken, where a pawn has come by; other tiles stay.",
                )
    for tile, count in left.items():
        if count and name_tile(tile) != "artefact":
            raise fail("tiles", f"{count} more must lie there: {name_tile(tile)}")


def _note_played(text: str, table: Table, mine: list[int]) -> None:
    """Close the pile that was discarded to; raises PositionError where nothing fits `text`."""
    is_laid, card = parse_play("played", text, parse_card)
    color = color_of(card)
    lie = [one for one in mine if color_of(one) == color] if is_laid else table.piles[color]
    if not lie or lie[-1] != card:
        place = "the last of my row" if is_laid else "on top of its pile"
        raise fail(
            "played",
            f"{write_card(card)} is not {place}",
            hint="With `played`, the other entries tell the table as it is after the play.",
        )
    if not is_laid:
        table.discarded_to = color


def _check_step(played: str, table: Table) -> None:
    """Check that a step can be due: the card laid has brought one, or the steps before another."""
    is_laid, card = parse_play("played", played, parse_card) if played else (False, 0)
    if not is_laid:
        raise fail("step", "is due after a card is laid", hint='Say which: played = "lay R9".')
    spaces, color = table.seats[0].spaces, color_of(card)
    is_on_tile = any(table.tiles[c][s] == STEP_TILE for c, s in enumerate(spaces))
    has_come_by = STEP_TILE in table.tiles[color][: spaces[color] + 1]
    if spaces[color] < table.ruleset.last_space and not (is_on_tile and has_come_by):
        raise fail(
            "step",
            f"none is due: {write_card(card)} has neither moved a pawn to a step tile nor found it "
            "at the end of its path",
            hint="Tell the table as it is before the step, the pawn of the card moved.",
        )
    if not table.movable(0):
        raise fail("step", "there is no pawn that it could move", hint="Leave it out.")
