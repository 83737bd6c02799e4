"""Tables of the board game for tests of what a strategy does at them."""

from functools import cache

from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import COLORS, RANK_MASK, add_card, parse_card, rank_of
from lcsim.rules.board.legal import DISCARD, LEADER, accepts_after
from lcsim.rules.board.ruleset import (
    MAX_SPACES,
    NO_TILE,
    build_color_mask,
    build_deck,
)
from lcsim.rules.board.table import Seat, Table
from lcsim.rules.streams import Stream
from lcsim.strategy import load_strategy

RULES = parse_ruleset("board")


def sit(hand, rows="", *, leader="", points=0):
    """Return a seat: its hand, `R1 R3 B0` laid, each card a space, and the leader's color."""
    seat = Seat(points=points, explorers=RULES.explorers)
    ranks = build_color_mask(RULES) & RANK_MASK
    seat.accepts = [ranks] * RULES.colors
    for card in map(parse_card, hand.split()):
        seat.hand[card >> 4] = add_card(seat.hand[card >> 4], rank_of(card))
    for card in map(parse_card, rows.split()):
        color, rank = card >> 4, rank_of(card)
        seat.accepts[color] = accepts_after(seat.laid[color], rank, ranks, either=0)
        seat.laid[color] = add_card(seat.laid[color], rank)
        seat.spaces[color] += 1
    seat.leader = COLORS.index(leader) if leader else -1
    seat.explorers -= sum(space > 0 for space in seat.spaces) - (seat.leader >= 0)
    return seat


def lay_out(me, *others, tiles=(), piles="", deck_left=30, round_=0):
    """Return the table of these seats; `tiles` are by place, R5, all other places are empty."""
    paths = [[NO_TILE] * (MAX_SPACES + 1) for _ in COLORS]
    for place, tile in dict(tiles).items():
        paths[COLORS.index(place[0])][int(place[1:])] = tile
    table = Table(RULES, round_, [me, *others], build_deck(RULES)[:deck_left], [0] * 30, paths)
    for card in map(parse_card, piles.split()):
        table.piles[card >> 4].append(card)
    seats = table.seats
    table.crossings = sum(space > RULES.bridge_after for seat in seats for space in seat.spaces)
    return table


@cache
def _load(spec):
    return load_strategy(spec, kind="board").decider


def ask(spec, hook, table):
    """Return what a strategy decides in seat 0."""
    return getattr(_load(spec), hook)(table.view(0), Stream(1, 0, 0, 16))


def ask_play(spec, table):
    """Return a play as it is written: R5, R5* with the leader, -R5 for a discard."""
    move = ask(spec, "choose_play", table)
    card = move & ~(DISCARD | LEADER)
    name = f"{COLORS[card >> 4]}{rank_of(card)}"
    return ("-" if move & DISCARD else "") + name + ("*" if move & LEADER else "")


IDLE = "G0 G1 W0 B0 B1 Y0 Y1 Y2"  # an opponent's hand, which nobody looks at
