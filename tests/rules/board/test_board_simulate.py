"""The board game simulated: worlds agree with the view, and are played on as the referee does."""

from dataclasses import replace

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


def play_on(table, move, decider):
    """Play the move as seat 0, then on to the end of the round; return the margin."""
    seat, n = 0, len(table.seats)
    while not table.is_over and table.turn < table.ruleset.turn_limit:
        play = decider.choose_play(table.view(seat), None) if move is None else move
        move = None
        table.play(seat, play)
        if not play & DISCARD:
            _move_pawns(table, seat, color_of(play & ~LEADER), decider)
        if not table.is_over:
            table.draw(seat, decider.choose_draw(table.view(seat), None))
        table.turn, table.discarded_to, seat = table.turn + 1, -1, (seat + 1) % n
    points = [_count_points(table, one) for one in table.seats]
    return points[0] - max(points[1:])


def _move_pawns(table, seat, color, decider):
    def step():
        return decider.choose_step(table.view(seat), None) if table.movable(seat) else NO_STEP

    if table.seats[seat].spaces[color] == table.ruleset.last_space:
        color = step()
    while color != NO_STEP:
        color = step() if table.advance(seat, color) == STEP else NO_STEP


def _count_points(table, seat):
    rules = table.ruleset
    pawns = enumerate(seat.spaces)
    gained = sum(score_space(rules, s, is_leader=color == seat.leader) for color, s in pawns)
    held = seat.artefacts * rules.rounds // (table.round + 1)
    return add_points(add_points(seat.points, gained), score_artefacts(rules, held))


@pytest.mark.parametrize(("ruleset", "n_players"), [("board", 2), ("board-updown", 3)])
def test_a_world_is_played_on_as_the_referee_does(ruleset, n_players, guest):
    decider = load_strategy(POLICY, kind="board").decider
    tables = collect_tables(ruleset, n_players, "choose_play")
    assert len(tables) > 3
    for number, table in enumerate(tables):
        world = simulate.lay_out(table.view(0), guest, Stream(number, 0, 0, 0))
        for w in range(3):
            simulate.deal_world(world, w)
            before = world.copy()
            dealt = read_world(table, world)
            moves = [decider.choose_play(table.view(0), None)]
            color = next(c for c, mask in enumerate(table.seats[0].hand) if mask)
            moves.append(list_cards(color, table.seats[0].hand[color])[0] + DISCARD)
            for move in moves:
                margin = play_on(_copy(dealt), move, decider)
                assert simulate.try_move(world, move) == margin
            assert world.tobytes() == before.tobytes()
        assert simulate.ask_guest(world) == decider.choose_play(table.view(0), None)


@pytest.mark.parametrize("decision", ["choose_play", "choose_draw"])
def test_a_world_shows_the_view_it_came_of(decision, guest):
    for table in collect_tables("board", 4, decision):
        view = table.view(0)
        world = simulate.lay_out(view, guest, Stream(5, 0, 0, 0))
        for w in (0, 1):
            simulate.deal_world(world, w)
            assert world["sight"]["seen"][0, 0] == write_view(view, simulate.VIEW_DTYPE)
            dealt = read_world(table, world)
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
        first, second = (simulate.lay_out(view, guest, Stream(5, 0, 0, 0)) for _ in range(2))
        simulate.deal_world(first, 7)
        simulate.deal_world(second, 7)
        assert np.array_equal(first["deck"], second["deck"])


def test_what_is_no_move_is_refused(guest):
    table = collect_tables("board", 2, "choose_play")[0]
    world = simulate.lay_out(table.view(0), guest, Stream(5, 0, 0, 0))
    simulate.deal_world(world, 0)
    with pytest.raises(ValueError, match="not a legal play"):
        simulate.try_move(world, 4000)
