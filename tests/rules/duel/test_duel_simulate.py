"""Rounds played on in the head: the referee's game, on cards that the view allows."""

import itertools

import numpy as np
import pytest
from duel_playing import load

from lcsim.duel import (
    DISCARD,
    DRAW_DECK,
    ask_guest,
    deal_world,
    lay_out,
    lowest_bit,
    make_card,
    weigh_card,
)
from lcsim.duel import try_move as try_on
from lcsim.rules import parse_ruleset
from lcsim.rules.duel.referee import Seat, Table, play_game
from lcsim.rules.streams import Stream
from lcsim.strategy.guest import CompiledGuest

RULESETS = [
    "duel",
    "classic:rounds=2",
    "duel-long:direction=either,hand_size=5,redraw_own_discard=true,rounds=1",
]


@pytest.fixture(scope="module")
def guests():
    """Two guests: one that thinks, and one that draws lots."""
    return {name: CompiledGuest(load(name)[0]) for name in ("balanced", "random-legal")}


def collect_situations(ruleset, *, every, names=("wager-lover", "random-legal")):
    """Return (table, seat) before some of the decisions of a game, plays and draws."""
    met = []

    def watch(table, seat, _decider, _rng, _decision):
        if watch.count % every == 0:
            seats = [
                Seat(*map(list, (s.hand, s.laid, s.accepts, s.known)), [list(r) for r in s.rows])
                for s in table.seats
            ]
            piles = [list(pile) for pile in table.piles]
            points, pile = list(table.points), list(table.draw_pile)
            numbers = (table.turn, table.discarded_to)
            met.append(
                (Table(table.ruleset, table.round, points, pile, seats, piles, *numbers), seat)
            )
        watch.count += 1

    watch.count = 0
    deciders = [load(name)[0].decider for name in names]
    play_game(ruleset, seed=9, deal=4, rotation=0, strategies=deciders, watch=watch)
    return met


def list_moves(view, *, is_play):
    """Return the legal moves, equal wagers each."""
    if not is_play:
        return [DRAW_DECK, *(color for color in range(6) if view.drawable >> color & 1)]
    cards = [make_card(c, i) for c in range(6) for i in range(12) if view.hand[c] >> i & 1]
    lays = [card for card in cards if view.playable[card >> 4] >> (card & 15) & 1]
    return [*lays, *(card + DISCARD for card in cards)]


def rebuild_table(table, seat, simulated):
    """Return the referee's table with the hidden cards of a simulated world."""
    state, them = simulated[0]["state"], table.seats[1 - seat]
    hand = [int(mask) for mask in state["hand"][1][:6]]
    other = Seat(hand, list(them.laid), list(them.accepts), list(them.known), them.rows)
    me = table.seats[seat]
    own = Seat(list(me.hand), list(me.laid), list(me.accepts), rows=me.rows)  # no card is known
    deck = [int(card) for card in simulated[0]["deck"][: len(table.draw_pile)]]
    piles = [
        [int(card) for card in state["pile"][color][: state["pile_size"][color]]]
        for color in range(6)
    ]
    seats = [own, other] if seat == 0 else [other, own]
    numbers = (table.turn, table.discarded_to)
    return Table(table.ruleset, table.round, table.points, deck, seats, piles, *numbers)


def play_on(table, seat, move, decider, *, is_play):
    """Return the margin of a round that the referee's table plays on after a move."""
    me = seat
    if is_play:
        table.play(seat, move)
        move = decider.choose_draw(table.view(seat), None)
    table.draw(seat, move)
    while table.draw_pile and table.turn < table.ruleset.turn_limit:
        seat = 1 - seat
        table.play(seat, decider.choose_play(table.view(seat), None))
        table.draw(seat, decider.choose_draw(table.view(seat), None))
    return table.score(me) - table.score(1 - me)


@pytest.mark.parametrize("spec", RULESETS)
def test_a_simulated_round_is_the_referees(spec, guests):
    ruleset = parse_ruleset(spec)
    guest, compared = guests["balanced"], 0
    for number, (table, seat) in enumerate(collect_situations(ruleset, every=17)):
        view = table.view(seat)
        is_play = sum(map(int.bit_count, view.hand)) == ruleset.hand_size
        simulated = lay_out(view, guest, Stream(number, 0, 0, 0))
        decider = guest.loaded.decider
        decide = decider.choose_play if is_play else decider.choose_draw
        assert ask_guest(simulated) == decide(view, None)
        for world, move in itertools.product(range(2), list_moves(view, is_play=is_play)[::3]):
            deal_world(simulated, world)
            real = rebuild_table(table, seat, simulated)
            assert real.view(seat) == view  # the world agrees with all that the seat sees
            expected = play_on(real, seat, move, decider, is_play=is_play)
            assert try_on(simulated, move) == expected
            compared += 1
    assert compared > 50


def test_every_world_holds_each_hidden_card_once(guests):
    ruleset = parse_ruleset("duel")
    for table, seat in collect_situations(ruleset, every=23):
        view = table.view(seat)
        simulated = lay_out(view, guests["balanced"], Stream(1, 2, 3, 4))
        for world in range(3):
            deal_world(simulated, world)
            hand = [int(mask) for mask in simulated[0]["state"]["hand"][1]]
            shown = [view.hand, view.mine, view.theirs, view.discarded, hand]
            cards = [0] * 6
            for color in range(6):
                for masks in shown:
                    assert not cards[color] & masks[color]
                    cards[color] |= masks[color]
                assert not view.known_theirs[color] & ~hand[color]
            for card in map(int, simulated[0]["deck"][: view.deck_left]):
                assert not cards[card >> 4] >> (card & 15) & 1
                cards[card >> 4] |= 1 << (card & 15)
            assert cards == [view.color_mask] * view.colors + [0] * (6 - view.colors)
            assert sum(map(int.bit_count, hand)) == 8


def test_hidden_cards_are_dealt_evenly(guests):
    table, seat = collect_situations(parse_ruleset("duel"), every=40)[1]
    view = table.view(seat)
    simulated = lay_out(view, guests["balanced"], Stream(1, 2, 3, 4))
    counts = np.zeros((6, 12))
    n = 4000
    for world in range(n):
        deal_world(simulated, world)
        masks = simulated[0]["state"]["hand"][1][:6, None]
        counts += masks >> np.arange(12) & 1
    known = np.array(view.known_theirs)[:, None] >> np.arange(12) & 1
    assert (counts[known == 1] == n).all()
    hidden = (counts > 0) & (known == 0)
    share = (8 - known.sum()) / hidden.sum()
    error = np.sqrt(share * (1 - share) / n)
    assert np.abs(counts[hidden] / n - share).max() < 4 * error


def test_a_card_weighed_is_as_likely_as_its_odds_say(guests):
    for table, seat in collect_situations(parse_ruleset("duel:hand_size=1"), every=1):
        simulated = lay_out(table.view(seat), guests["balanced"], Stream(1, 2, 3, 4))
        if int(simulated[0]["n_hidden"]) == len(table.draw_pile) + 1:
            break  # their one card is not known
    card = int(simulated[0]["hidden"][0])
    n_hidden, n = int(simulated[0]["n_hidden"]), 4000
    for odds in (0.0, 5.0):
        weigh_card(simulated, card, odds)
        held = 0
        for world in range(n):
            deal_world(simulated, world)
            held += int(simulated[0]["state"]["hand"][1][card >> 4]) >> (card & 15) & 1
        share = odds / (odds + n_hidden - 1)
        assert abs(held / n - share) <= 4 * np.sqrt(share * (1 - share) / n)


def test_a_world_is_the_same_whenever_it_is_dealt_and_a_try_leaves_it_so(guests):
    table, seat = collect_situations(parse_ruleset("duel"), every=60)[1]
    view = table.view(seat)
    for name, guest in guests.items():
        simulated = lay_out(view, guest, Stream(5, 0, 0, 0))
        move = make_card(
            color := next(c for c in range(5) if view.hand[c]), lowest_bit(view.hand[color])
        )
        margins = []
        for world in (7, 8, 7):
            deal_world(simulated, world)
            before = simulated.copy()
            margins.append(try_on(simulated, move + DISCARD))
            assert np.array_equal(simulated[0], before[0]), name
        assert margins[0] == margins[2]
        other = lay_out(view, guest, Stream(6, 0, 0, 0))
        tries = []
        for one in (simulated, other):
            for world in range(12):
                deal_world(one, world)
                tries.append(try_on(one, move + DISCARD))
        assert tries[:12] != tries[12:]  # another table has other worlds


def test_a_move_that_is_not_legal_is_refused(guests):
    table, seat = collect_situations(parse_ruleset("duel"), every=1)[0]
    simulated = lay_out(table.view(seat), guests["balanced"], Stream(1, 0, 0, 0))
    deal_world(simulated, 0)
    with pytest.raises(ValueError, match="not a legal play"):
        try_on(simulated, 4711)
