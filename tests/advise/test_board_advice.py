"""Advice on the board game: obvious moves are found, and what can be counted out agrees."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lcsim.advise import PLAY, STEP, advise, parse_position, write_position
from lcsim.rules.board.cards import MAX_COLORS, add_card, color_of, count_card, make_card, rank_of
from lcsim.rules.board.legal import DISCARD, LEADER, NO_STEP
from lcsim.rules.board.ruleset import STEP as STEP_TILE
from lcsim.rules.board.ruleset import build_deck
from lcsim.rules.board.scoring import add_points, score_artefacts, score_space
from lcsim.stats.estimate import Estimate
from lcsim.strategy import load_strategy

POLICY = "steady"
SMALL = (
    "board-short:rounds=2,colors=2,highest_rank=6,hand_size=2,removed_cards=0,artefact_tiles=1,"
    "step_tiles=1,vp_tiles=10,tile_places=3/5|4"
)  # 28 cards and three tiles
TAKEN = "R5:vp10 G4:step"  # the tiles, when the artefact has been taken


def write_text(*others, removed=0, **changes):
    """Return a position in the last round of SMALL; `others` are the lines of their tables."""
    ruleset = SMALL.replace("removed_cards=0", f"removed_cards={removed}")
    entries = {"ruleset": ruleset, "round": 1, "tiles": f"R3:artefact {TAKEN}", **changes}
    lines = [f"{key} = {_write_value(value)}" for key, value in entries.items()]
    return "\n".join([*lines, *(f"[[others]]\n{other}" for other in others)])


def _write_value(value):
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def ask(text, **more):
    return advise(parse_position(text), policy=POLICY, **{"samples": 300, **more})


# No discard pile to take from, and one card to draw: what is done now is the last that counts.
THEIRS = 'points = 40\nmine = "G0"\npawns = "G1"'
ROW = "R0 R0 R1 R2 R2 R3"


@pytest.mark.parametrize(
    ("pawn", "gain"),
    [("R3", 5 + 10), ("R4", 10 - 5 + 10), ("R6L", 2 * (30 - 15))],
    ids=["to the first gain", "to a VP tile", "the leader over the bridge"],
)
def test_the_last_card_moves_the_pawn(pawn, gain):
    n = int(pawn[1])
    mine = {"hand": "R6 G6", "mine": " ".join(ROW.split()[:n]), "pawns": pawn, "artefacts": 1}
    advice = ask(write_text(THEIRS, **mine, points=60, tiles=TAKEN, draw_pile=1, removed=22 - n))
    assert advice.best.name == "lay R6"
    assert advice.best.margin.se == 0
    by_name = {option.name: option for option in advice.options}
    assert by_name["discard R6"].lag == Estimate(gain, 0.0, 300)
    assert advice.rivals == ()
    assert advice.sentence.startswith(f"Lay R6: {gain} ± 0 points better than ")


def test_the_last_step_goes_where_it_brings_most():
    text = write_text(
        THEIRS,
        hand="G6",
        mine="R0 R1 R2 R3 G0 G1 G2 G3",
        pawns="R4 G4",
        played="lay G3",
        step=True,
        points=60,
        artefacts=1,
        tiles=TAKEN,
        draw_pile=1,
        removed=15,
    )
    advice = ask(text)
    assert advice.position.decision == STEP
    assert [(option.name, option.lag and option.lag.mean) for option in advice.options] == [
        ("move R to 5 (vp10)", None),
        ("move G to 5", 10.0),
        ("move no pawn", 15.0),
    ]
    assert advice.sentence.startswith("Move R to 5 (vp10): 10 ± 0 points better than move G to 5")
    assert 'played = "lay G3"\nstep = true\n' in write_position(advice.position)


def deal_all(position):
    """Yield every way to deal what the position hides, as tables of the referee."""
    table = position.table
    me, them = table.seats
    left = build_deck(table.ruleset)
    for color in range(MAX_COLORS):
        for rank in range(11):
            masks = (me.hand, me.laid, them.laid, them.known)
            for _ in range(sum(count_card(mask[color], rank) for mask in masks)):
                left.remove(make_card(color, rank))
    for card in itertools.chain(*table.piles):
        left.remove(card)
    numbered = list(enumerate(left))
    for held in itertools.combinations(numbered, len(left) - len(table.draw_pile)):
        rest = [card for card in numbered if card not in held]
        for pile in itertools.permutations(rest):
            hand = list(them.known)
            for _, card in held:
                hand[color_of(card)] = add_card(hand[color_of(card)], rank_of(card))
            yield replace(
                table,
                seats=[_copy(me, me.hand), _copy(them, hand)],
                draw_pile=[card for _, card in pile],
                tiles=[list(path) for path in table.tiles],
                piles=[list(one) for one in table.piles],
            )


def _copy(seat, hand):
    lists = {name: list(getattr(seat, name)) for name in ("laid", "accepts", "known", "spaces")}
    return replace(seat, hand=list(hand), **lists)


def play_on(table, move, decider, *, decision):
    """Return the margin of the game when seat 0 makes the move and the decider plays on."""
    seat = 0
    while not table.is_over and table.turn < table.ruleset.turn_limit:
        if decision == PLAY:
            play = decider.choose_play(table.view(seat), None) if move is None else move
            move = None
            _play(table, seat, play, decider)
        if decision == STEP:
            _move_on(table, seat, move, decider)
            move = None
        if not table.is_over:
            draw = decider.choose_draw(table.view(seat), None) if move is None else move
            move = None
            table.draw(seat, draw)
        table.turn, table.discarded_to, decision = table.turn + 1, -1, PLAY
        seat = 1 - seat
    totals = [_settle(table.ruleset, one) for one in table.seats]
    return totals[0] - totals[1]


def _play(table, seat, play, decider):
    table.play(seat, play)
    if play & DISCARD:
        return
    color = color_of(play & ~LEADER)
    if table.seats[seat].spaces[color] == table.ruleset.last_space:
        color = _step(table, seat, decider)
    _move_on(table, seat, color, decider)


def _move_on(table, seat, color, decider):
    while color != NO_STEP:
        tile = table.advance(seat, color)
        color = _step(table, seat, decider) if tile == STEP_TILE else NO_STEP


def _step(table, seat, decider):
    return decider.choose_step(table.view(seat), None) if table.movable(seat) else NO_STEP


def _settle(ruleset, seat):
    pawns = enumerate(seat.spaces)
    gained = sum(score_space(ruleset, s, is_leader=color == seat.leader) for color, s in pawns)
    return add_points(add_points(seat.points, gained), score_artefacts(ruleset, seat.artefacts))


RIVAL = """
points = 45
artefacts = 1
pawns = "G4 R5L"
mine = "G0 G1 G1 G3 R1 R2 R2 R4 R4"
known = "G5"
"""
COUNTED = {
    "play": write_text(
        RIVAL,
        points=50,
        hand="R3 G4",
        mine="R0 R0 R1 R3 G0 G2 G2",
        pawns="R4L G3",
        discards="G3 R5 G4 R6",
        tiles=TAKEN,
    ),
    "draw": write_text(
        RIVAL,
        points=50,
        hand="G4",
        mine="R0 R0 R1 R3 R3 G0 G2 G2",
        pawns="R5L G3",
        discards="G3 R5 G4 R6 R6",
        tiles=TAKEN,
        played="lay R3",
    ),
    "step": write_text(
        RIVAL,
        points=50,
        hand="R3",
        mine="R0 R0 R1 G0 G2 G2 G4",
        pawns="R3L G4",
        discards="G3 R5 G4 R6 R6",
        tiles=TAKEN,
        played="lay G4",
        step=True,
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_can_be_counted_out_agrees(name):
    position = parse_position(COUNTED[name])
    advice = advise(position, policy=POLICY, samples=4000, seed=11)
    decider = load_strategy(POLICY, kind="board").decider
    exact = {}
    for option in advice.options:
        tables = deal_all(position)
        margins = np.array(
            [play_on(table, option.move, decider, decision=position.decision) for table in tables]
        )
        wins = (np.sign(margins) + 1) / 2
        exact[option.name] = margins
        assert len(margins) > 20
        assert abs(option.margin.mean - margins.mean()) <= 4 * option.margin.se + 1e-9
        assert abs(option.wins.mean - wins.mean()) <= 4 * option.wins.se + 1e-9
    best = exact[advice.best.name]
    for option in advice.options[1:]:
        lag = best.mean() - exact[option.name].mean()
        assert abs(option.lag.mean - lag) <= 4 * option.lag.se + 1e-9
    assert any(margins.std() > 0 for margins in exact.values())


def test_the_leader_is_a_move_of_its_own():
    text = write_text("points = 10", hand="R3 G4", mine="G0", pawns="G1")
    names = {option.name for option in ask(text, samples=50).options}
    assert {"lay R3", "lay R3 with the leader", "lay G4", "discard R3"} <= names
    assert "lay G4 with the leader" not in names


def test_more_than_two_play():
    position = parse_position(
        COUNTED["play"]
        .replace("hand_size=2", "hand_size=1", 1)
        .replace('hand = "R3 G4"', 'hand = "R3"')
        + '\n[[others]]\npoints = 3\nmine = "G6"\npawns = "G1L"'
    )
    advice = advise(position, policy=POLICY, samples=200)
    assert {option.name for option in advice.options} == {"lay R3", "discard R3"}
    assert advice.best.margin.se is not None


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_a_step_is_advised_on_with_any_number_of_players(n_players):
    text = (
        COUNTED["step"]
        .replace("hand_size=2", "hand_size=1", 1)
        .replace('hand = "R3"', 'hand = ""')
        .replace("G3 R5 G4 R6 R6", "G3 R5")
    )
    third = '\n[[others]]\npoints = 3\nmine = "G6"\npawns = "G1"'
    fourth = third.replace("G", "R")
    position = parse_position("".join([text, third, fourth][: n_players - 1]))
    advice = advise(position, policy=POLICY, samples=200)
    names = {option.name for option in advice.options}
    assert names == {"move no pawn", "move R to 4", "move G to 5"}
    assert advice.position.view.n_players == n_players
    assert parse_position(write_position(position)).view == position.view
