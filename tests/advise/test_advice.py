"""Advice on the card game: obvious moves are found, and what can be counted out agrees."""

import itertools
import math

import numpy as np
import pytest
from positions import write_text

from lcsim.advise import advise, parse_position
from lcsim.advise.advice import Advice, Option
from lcsim.advise.games import ROOMS
from lcsim.advise.judge import Judge, judge_last_round
from lcsim.errors import CountError, SpecError, StrategyBrokeError, UnknownNameError, UsageError
from lcsim.rules.duel.cards import color_of, index_of
from lcsim.rules.duel.referee import Seat, Table
from lcsim.stats.estimate import Estimate
from lcsim.strategy import load_strategy

POLICY = "balanced"
ROOM = ROOMS["duel"]


def ask(text, **more):
    return advise(parse_position(text), **{"policy": POLICY, "samples": 300, **more})


def by_name(advice):
    return {option.name: option for option in advice.options}


# No discard pile to take from: whatever is played, the last card of the draw pile is drawn then.
LAST_CARD = write_text(
    hand="R9 G2",
    mine="Rw R2 R5",
    theirs="Rw Rw R3 R4 R6 R7 R8 Gw Gw Gw G3 G4 G5 G6 G7 G8",
    discards="",
    draw_pile=1,
)
# My expedition is a loss; one card still counts, and the highest cuts most of it.
CUT_LOSS = write_text(
    hand="R4 R10",
    mine="R3",
    theirs="Rw Rw Rw R2 R5 R6 R7 R8 Gw Gw Gw G2 G3 G4 G5 G6 G7 G8",
    discards="",
    draw_pile=1,
)
# Seven red cards lie, so that the eighth earns 20 on top; a green ten is worth no more than ten.
EIGHTH = write_text(
    hand="R8 G10",
    mine="Rw R2 R3 R4 R5 R6 R7 G9",
    theirs="Rw Rw R9 R10 Gw Gw G2 G3 G4 G5 G6",
    discards="",
    draw_pile=1,
)


@pytest.mark.parametrize(
    ("text", "move", "margin", "lead"),
    [
        (LAST_CARD, "lay R9", 2 * (2 + 5 + 9 - 20) - 24 - 72, 18),
        (CUT_LOSS, "lay R10", 3 + 10 - 20 - 52 - 80, 6),
        (EIGHTH, "lay R8", 2 * (35 - 20) + 20 + 9 - 20 - 3 * (19 - 20) - 0, 26),
    ],
    ids=["last card", "cut loss", "eighth card"],
)
def test_an_obvious_move_is_found(text, move, margin, lead):
    advice = ask(text)
    assert advice.best.name == move
    assert advice.best.margin == Estimate(margin, 0.0, 300)
    assert advice.options[1].lag == Estimate(lead, 0.0, 300)
    assert advice.rivals == ()
    assert advice.sentence.startswith(f"{move[0].upper()}{move[1:]}: {lead} ± 0 points better")


def test_equal_wagers_are_one_move():
    names = list(by_name(ask(write_text(hand="Rw R9", mine="R2", discards="Rw R3 G3"))))
    assert sorted(names) == ["discard R9", "discard Rw", "lay R9"]


def test_a_draw_is_asked_for_when_the_card_is_played():
    advice = ask(write_text(hand="G2", mine="Rw R2 R5 R9", played="lay R9"))
    names = {"draw from the draw pile", "take R8", "take G3"}
    assert set(by_name(advice)) == names


def deal_all(position):
    """Yield every way to deal what the position hides, as tables of the referee."""
    view, table = position.view, position.table
    seen = [
        a | b | c | d | e
        for a, b, c, d, e in zip(
            view.hand, view.mine, view.theirs, view.discarded, view.known_theirs, strict=True
        )
    ]
    hidden = [
        16 * color + index
        for color in range(view.colors)
        for index in range(12)
        if (view.color_mask & ~seen[color]) >> index & 1
    ]
    for held in itertools.combinations(hidden, len(hidden) - view.deck_left):
        rest = [card for card in hidden if card not in held]
        for pile in itertools.permutations(rest):
            me, them = table.seats
            hand = list(view.known_theirs)
            for card in held:
                hand[color_of(card)] |= 1 << index_of(card)
            seats = [
                Seat(
                    list(s.hand) if s is me else hand,
                    *map(list, (s.laid, s.accepts, s.known)),
                    [list(row) for row in s.rows],
                )
                for s in (me, them)
            ]
            yield Table(
                table.ruleset,
                table.round,
                list(table.points),
                list(pile),
                seats,
                [list(p) for p in table.piles],
                table.turn,
                table.discarded_to,
            )


def play_on(table, move, decider, *, is_draw):
    """Return the margin when seat 0 makes the move and the decider plays on, by the referee."""
    seat, decision = 0, "draw" if is_draw else "play"
    while table.draw_pile and table.turn < table.ruleset.turn_limit:
        if decision == "play":
            chosen = decider.choose_play(table.view(seat), None) if move is None else move
            table.play(seat, chosen)
            move = None
        pile = decider.choose_draw(table.view(seat), None) if move is None else move
        table.draw(seat, pile)
        seat, decision, move = 1 - seat, "play", None
    return table.score(0) - table.score(1)


COUNTED = {
    "play": write_text(discards="Rw Rw R3 R4 R8 G3 G7", hand="R9 G9", known_theirs="R10"),
    "draw": write_text(
        discards="Rw Rw R3 R4 R8 G3 G7", hand="G9", mine="Rw R2 R5 R9", played="lay R9"
    ),
    "a lead": write_text(discards="Rw Rw R3 R4 R8 G3 G7 G2", hand="R9 G9", points=[34, 10]),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_can_be_counted_out_agrees(name):
    position = parse_position(COUNTED[name])
    advice = advise(position, policy=POLICY, samples=4000, seed=11)
    decider = load_strategy(POLICY, kind="duel").decider
    lead = position.view.my_points - position.view.their_points
    exact = {}
    for option in advice.options:
        is_draw = position.decision == "choose_draw"
        margins = np.array(
            [play_on(table, option.move, decider, is_draw=is_draw) for table in deal_all(position)]
        )
        wins = (np.sign(lead + margins) + 1) / 2
        exact[option.name] = margins, wins
        assert len(margins) > 20
        assert abs(option.margin.mean - margins.mean()) <= 4 * option.margin.se + 1e-9
        assert abs(option.wins.mean - wins.mean()) <= 4 * option.wins.se + 1e-9
        assert option.margin.se == pytest.approx(margins.std() / math.sqrt(4000), rel=0.1)
    best = exact[advice.best.name][0]
    for option in advice.options[1:]:
        lag = best.mean() - exact[option.name][0].mean()
        assert abs(option.lag.mean - lag) <= 4 * option.lag.se + 1e-9
    assert any(margins.std() > 0 for margins, _ in exact.values())


def test_the_same_words_give_the_same_advice():
    text = COUNTED["play"]
    assert ask(text).options == ask(text).options
    assert ask(text).options != ask(text, seed=43).options


def test_more_worlds_begin_with_the_same_ones():
    few, many = (ask(COUNTED["play"], samples=n) for n in (250, 500))
    assert few.best.margin.n == 250
    assert many.best.margin.n == 500
    assert few.best.margin.mean != many.best.margin.mean


def test_later_rounds_follow_the_lead():
    early, late = (
        ask(ROOM.example.replace("round = 2 ", f"round = {n} ").replace("[31, 24]", "[90, 0]"))
        for n in (0, 2)
    )
    assert early.best.margin == late.best.margin
    assert early.best.wins.mean < late.best.wins.mean
    assert early.best.wins.se > 0


def test_a_judge_counts_what_may_follow():
    judge = Judge(5, np.array([-20.0, -5.0, -5.0, 20.0]), 100)
    assert judge.find_shares(np.array([0, 1, 15])).tolist() == [0.5, 0.75, 0.875]
    assert judge_last_round(5).find_shares(np.array([-6, -5, -4])).tolist() == [0, 0.5, 1]
    assert judge.widen(Estimate(0.5, 0.0, 9)).se == pytest.approx(0.05)
    assert judge_last_round(0).widen(Estimate(0.5, 0.1, 9)).se == 0.1


def make_option(name, margin, lag=None, win_lag=None):
    error = Estimate(margin, 0.5, 100)
    return Option(0, name, error, Estimate(0.6, 0.02, 100), lag, win_lag)


def say(*options, goal="margin"):
    return Advice(None, "tuned", goal, 42, options).sentence


def test_sentences():
    best = make_option("lay R9", 4.0)
    clear = make_option("discard B2", 1, Estimate(3.1, 0.4, 100), Estimate(0.1, 0.02, 100))
    near = make_option("lay G3", 3.8, Estimate(0.2, 0.4, 100), Estimate(0.01, 0.02, 100))
    wins = make_option("lay W2", 1, Estimate(3.1, 0.4, 100), Estimate(-0.1, 0.02, 100))
    assert say(best, clear) == (
        "Lay R9: 3.1 ± 0.4 points better than discard B2; it wins 60 ± 2 % of games."
    )
    assert say(best, near, clear) == "Lay R9 or lay G3: too close to tell apart."
    many = say(best, *[near] * 5)
    assert many == "Lay R9, lay G3, lay G3, lay G3 or 2 others: too close to tell apart."
    same = make_option("lay G3", 4.0, Estimate(0.0, 0.0, 100), Estimate(0.0, 0.0, 100))
    assert say(best, same) == "Lay R9 or lay G3: equal in every world."
    assert say(best, same, clear) == (
        "Lay R9 or lay G3: equal in every world, and 3.1 ± 0.4 points better than discard B2."
    )
    assert say(best, same, near, clear) == (
        "Lay R9, lay G3 or lay G3: too close to tell apart. Of these, lay R9 and lay G3 are equal "
        "in every world."
    )
    ahead = make_option("lay G3", 4.2, Estimate(-3.0, 0.4, 100), Estimate(-0.1, 0.02, 100))
    assert say(best, ahead).startswith("Lay R9 or lay G3: too close to tell apart.")
    assert say(best, wins).endswith("But to lay W2 wins 10 ± 2 % of games more.")
    assert say(best, clear, goal="wins").startswith(
        "Lay R9: 10 ± 2 % of games more than discard B2"
    )
    assert say(best) == "Lay R9: there is no other move; it wins 60 ± 2 % of games."


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        ({"samples": 1}, CountError, "no error"),
        ({"samples": 10**9}, CountError, "more than 1,000,000"),
        ({"seed": -1}, CountError, "the seed is -1"),
        ({"seed": 2**64}, CountError, "must lie between 0 and 2^64 - 1"),
        ({"precision": 0.5, "goal": "wins"}, UsageError, "a precision is in points"),
        ({"policy": "ladder-numpy"}, SpecError, "is a batch strategy, which is not compiled"),
        ({"precision": 0.0}, CountError, "above 0"),
        ({"goal": "glory"}, UsageError, "margin, wins"),
        ({"policy": "tunde"}, UnknownNameError, "tuned"),
        ({"policy": "balanced:x=1"}, UnknownNameError, "parameter of balanced"),
        ({"policy": "steady"}, (UnknownNameError, SpecError), "steady"),
        ({"policy": "balanced@no-wagers"}, UsageError, "behind the @: balanced."),
    ],
)
def test_what_cannot_be_asked_is_said(given, kind, says):
    with pytest.raises(kind) as caught:
        advise(parse_position(write_text()), **{"policy": POLICY, **given})
    assert says in str(caught.value)


def test_a_policy_that_breaks_is_named(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from lcsim.duel import Strategy\n\n\n"
        "class Mine(Strategy):\n"
        '    """Divides by what is nothing in the end."""\n\n'
        "    def lay(self, view, card):\n"
        "        return 1.0 / (view.deck_left - 3)\n\n"
        "    def discard(self, view, card):\n"
        "        return 0.0\n\n"
        "    def draw(self, view, card):\n"
        "        return -1.0\n",
        encoding="utf-8",
    )
    said = r"mine\.py, line 7: mine broke when it played on .*\(choose_play\)"
    with pytest.raises(StrategyBrokeError, match=said) as caught:
        ask(write_text(), policy=str(file))
    assert caught.value.line == 7
