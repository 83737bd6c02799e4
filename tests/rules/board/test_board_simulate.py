"""The board game simulated: worlds agree with the view, and are played on as the referee does."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from lcsim.rules import GAMES, parse_ruleset
from lcsim.rules.board import simulate
from lcsim.rules.board.cards import color_of, list_cards
from lcsim.rules.board.legal import DISCARD, LEADER, NO_STEP
from lcsim.rules.board.ruleset import STEP, build_deck
from lcsim.rules.board.scoring import add_points, score_artefacts, score_space
from lcsim.rules.board.table import shuffle_hidden
from lcsim.rules.kernel import write_view
from lcsim.rules.simulate import ask_guest, deal_world, try_move
from lcsim.rules.streams import Stream
from lcsim.strategy import load_strategy
from lcsim.strategy.guest import CompiledGuest

POLICY = "steady"


@pytest.fixture(scope="module")
def guest():
    return CompiledGuest(load_strategy(POLICY, kind="board"))


def collect_tables(ruleset, n_players, decision, *, every=25):
    """Return tables of a game as the seats to move met them, each with its seat turned to 0."""
    found = []

    def watch(table, seat, decider, rng, asked):
        if asked == decision and len(found) * every <= watch.seen:
            seats = [*table.seats[seat:], *table.seats[:seat]]
            copied = shuffle_hidden(table, seat, Stream(1, 2, 3, 4))
            copied = replace(
                copied,
                seats=[*copied.seats[seat:], *copied.seats[:seat]],
                piles=[list(pile) for pile in table.piles],
                tiles=[list(path) for path in table.tiles],
            )
            assert len(seats) == n_players
            found.append(_copy(copied))
        watch.seen += 1

    watch.seen = 0
    rules = parse_ruleset(ruleset)
    deciders = [load_strategy("racer", kind="board").decider] * n_players
    GAMES["board"].replay(rules, seed=9, deal=2, rotation=0, strategies=deciders, watch=watch)
    return found


def _copy(table):
    lists = ("hand", "laid", "accepts", "known", "spaces")
    seats = [replace(s, **{name: list(getattr(s, name)) for name in lists}) for s in table.seats]
    return replace(
        table,
        seats=seats,
        draw_pile=list(table.draw_pile),
        tiles=[list(path) for path in table.tiles],
        piles=[list(pile) for pile in table.piles],
    )


def read_world(table, world):
    """Return a referee's table with the hidden cards of a simulated world."""
    state, copied = world["state"][0], _copy(table)
    for seat, one in enumerate(copied.seats):
        one.hand = [int(mask) for mask in state["hand"][seat]]
    copied.draw_pile = [int(card) for card in world["deck"][0][: len(table.draw_pile)]]
    copied.piles = [
        [int(card) for card in state["pile"][color][: state["pile_size"][color]]]
        for color in range(len(copied.piles))
    ]
    return copied


def play_on(table, move, decider, *, decision="choose_play"):
    """Make the move as seat 0, then play on to the end of the round; return the margin."""
    seat, n = 0, len(table.seats)
    while not table.is_over and table.turn < table.ruleset.turn_limit:
        if decision == "choose_step":
            _follow_steps(table, seat, move, decider)
        elif decision == "choose_play":
            play = decider.choose_play(table.view(seat), None) if move is None else move
            table.play(seat, play)
            if not play & DISCARD:
                _move_pawns(table, seat, color_of(play & ~LEADER), decider)
        if not table.is_over:
            is_drawn = decision == "choose_draw"
            table.draw(seat, move if is_drawn else decider.choose_draw(table.view(seat), None))
        table.turn, table.discarded_to, seat = table.turn + 1, -1, (seat + 1) % n
        move, decision = None, "choose_play"
    points = [_count_points(table, one) for one in table.seats]
    return points[0] - max(points[1:])


def _move_pawns(table, seat, color, decider):
    if table.seats[seat].spaces[color] == table.ruleset.last_space:
        color = _ask_step(table, seat, decider)
    _follow_steps(table, seat, color, decider)


def _follow_steps(table, seat, color, decider):
    while color != NO_STEP:
        is_step = table.advance(seat, color) == STEP
        color = _ask_step(table, seat, decider) if is_step else NO_STEP


def _ask_step(table, seat, decider):
    return decider.choose_step(table.view(seat), None) if table.movable(seat) else NO_STEP


def _count_points(table, seat):
    rules = table.ruleset
    pawns = enumerate(seat.spaces)
    gained = sum(score_space(rules, s, is_leader=color == seat.leader) for color, s in pawns)
    return add_points(add_points(seat.points, gained), expect_artefacts(table, seat))


def expect_artefacts(table, seat):
    """Return what a seat's artefacts are worth if those of later rounds are handed out by lot."""
    rules, n = table.ruleset, len(table.seats)
    rate = Fraction(sum(one.artefacts for one in table.seats), table.round + 1)
    n_later = round_half_up(rate * (rules.rounds - table.round - 1))
    chances = [
        comb(n_later, k) * Fraction(1, n) ** k * Fraction(n - 1, n) ** (n_later - k)
        for k in range(n_later + 1)
    ]
    worth = [score_artefacts(rules, seat.artefacts + k) for k in range(n_later + 1)]
    return round_half_up(
        sum(chance * points for chance, points in zip(chances, worth, strict=True))
    )


def round_half_up(number):
    return int((number + Fraction(1, 2)) // 1)


def list_moves(table, decision):
    """Return the moves that seat 0 can make, but for lays of cards."""
    if decision == "choose_play":
        hand = enumerate(table.seats[0].hand)
        return [card + DISCARD for color, mask in hand for card in set(list_cards(color, mask))]
    view = table.view(0)
    colors = view.drawable if decision == "choose_draw" else view.movable
    return [-1, *(color for color in range(5) if colors >> color & 1)]


def lay_out(table, decision, guest, number):
    """Return a world's table for a referee's one; `number` says which worlds it has."""
    put = simulate.lay_out_step if decision == "choose_step" else simulate.lay_out
    return put(table.view(0), guest, Stream(number, 0, 0, 0))


@pytest.mark.parametrize("decision", ["choose_play", "choose_draw", "choose_step"])
@pytest.mark.parametrize(("ruleset", "n_players"), [("board", 2), ("board-updown", 3)])
def test_a_world_is_played_on_as_the_referee_does(ruleset, n_players, decision, guest):
    decider = load_strategy(POLICY, kind="board").decider
    tables = collect_tables(ruleset, n_players, decision)
    assert len(tables) > 3
    assert {table.round for table in tables} == {0, 1, 2}
    for number, table in enumerate(tables):
        world = lay_out(table, decision, guest, number)
        for w in range(2):
            deal_world(world, w)
            before = world.copy()
            dealt = read_world(table, world)
            own = getattr(decider, decision)(table.view(0), None)
            for move in {own, *list_moves(table, decision)[:3]}:
                margin = play_on(_copy(dealt), move, decider, decision=decision)
                assert try_move(world, move) == margin
            assert world[0].tobytes() == before[0].tobytes()
        assert ask_guest(world) == own


@pytest.mark.parametrize("decision", ["choose_play", "choose_draw", "choose_step"])
def test_a_world_shows_the_view_it_came_of(decision, guest):
    tables = collect_tables("board", 4, decision)
    assert len(tables) > 3
    for table in tables:
        view = table.view(0)
        world = lay_out(table, decision, guest, 5)
        for w in (0, 1):
            deal_world(world, w)
            assert world["sight"]["seen"][0, 0] == write_view(view, simulate.VIEW_DTYPE)
            dealt = read_world(table, world)
            assert dealt.view(0) == view
            out = len(table.removed)
            cards = [*dealt.draw_pile, *(c for pile in dealt.piles for c in pile)]
            for seat in dealt.seats:
                for color in range(5):
                    cards += list_cards(color, seat.hand[color])
                    cards += list_cards(color, seat.laid[color])
            left = build_deck(table.ruleset)
            for card in cards:
                left.remove(card)
            assert len(left) == out
            sizes = [sum(mask.bit_count() for mask in seat.hand) for seat in dealt.seats[1:]]
            assert sizes == [table.ruleset.hand_size] * 3
        first, second = (lay_out(table, decision, guest, 5) for _ in range(2))
        deal_world(first, 7)
        deal_world(second, 7)
        assert first.tobytes() == second.tobytes()


def test_a_card_weighed_is_as_likely_as_its_odds_say(guest):
    for table in collect_tables("board:hand_size=1", 3, "choose_play", every=1):
        world = lay_out(table, "choose_play", guest, 1)
        if not any(any(seat.known) for seat in table.seats):
            break  # the others' cards are not known
    card, n_hidden, n = int(world["hidden"][0, 0]), int(world["n_hidden"][0]), 3000
    copies = [int(code) for code in world["hidden"][0, :n_hidden]].count(card)

    def chance(copies, cards, odds):
        return copies * odds / (copies * odds + cards - copies)

    for odds in [(1.0, 1.0), (0.0, 1.0), (40.0, 1.0), (1.0, 40.0)]:
        for other in (0, 1):
            simulate.weigh_card(world, other, card, odds[other])
        held = np.zeros(2)
        for w in range(n):
            deal_world(world, w)
            held += world["state"]["hand"][0, 1:3, card >> 4] >> (card & 15) & 1
        first = chance(copies, n_hidden, odds[0])
        second = first * chance(copies - 1, n_hidden - 1, odds[1])
        second += (1 - first) * chance(copies, n_hidden - 1, odds[1])
        shares = np.array([first, second])
        assert (np.abs(held / n - shares) <= 4 * np.sqrt(shares * (1 - shares) / n)).all()


def test_what_is_no_move_is_refused(guest):
    table = collect_tables("board", 2, "choose_play")[0]
    world = simulate.lay_out(table.view(0), guest, Stream(5, 0, 0, 0))
    deal_world(world, 0)
    with pytest.raises(ValueError, match="not a legal play"):
        try_move(world, 4000)
    table = collect_tables("board", 2, "choose_step")[0]
    world = lay_out(table, "choose_step", guest, 5)
    deal_world(world, 0)
    stuck = next(color for color in range(5) if not table.view(0).movable >> color & 1)
    for move in (stuck, 5, -2):
        with pytest.raises(ValueError, match="not a legal step"):
            try_move(world, move)
