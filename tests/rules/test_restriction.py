"""Restrictions of a seat: their text, and that they are kept."""

import pytest

from lcsim.errors import SpecError, StrategyBrokeError, UnknownNameError, UsageError
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.restriction import (
    FREE,
    NO_LIMIT,
    check_effect,
    parse_restriction,
    split_restriction,
)
from lcsim.strategy import compile_strategy, load_strategy

DUEL, BOARD = get_game("duel").restrictions, get_game("board").restrictions


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("balanced", ("balanced", "")),
        ("balanced:open_at=3@no-wagers", ("balanced:open_at=3", "no-wagers")),
        ("me@home/mine.py@no-lay=R5:0.3", ("me@home/mine.py", "no-lay=R5:0.3")),
        ("me@home/mine.py:Mine", ("me@home/mine.py:Mine", "")),
    ],
)
def test_a_spec_is_split_at_the_sign_behind_the_path(text, parts):
    assert split_restriction(text) == parts


def test_a_restriction_has_one_canonical_text():
    one = parse_restriction("max-expeditions=04+no-lay=gW+no-wagers+no-lay=R5", DUEL)
    assert one.text == "no-wagers+no-lay=R5+no-lay=Gw+max-expeditions=4"
    assert parse_restriction(one.text, DUEL) == one
    assert one.always.deny[:3] == (0b111 | 1 << 6, 0b111, 0b111)
    assert one.always.max_open == 4
    assert one.once == NO_LIMIT


def test_an_item_with_a_turn_holds_at_that_turn_only():
    one = parse_restriction("no-discard-draws+no-wagers:1.12", DUEL)
    assert one.at(1, 12).deny[0] == 0b111
    assert one.at(1, 13).deny[0] == one.at(0, 12).deny[0] == 0
    assert one.at(0, 0).no_draws == one.at(1, 12).no_draws == 1
    assert one.text == "no-wagers:1.12+no-discard-draws"


def test_nothing_forbidden_is_false():
    assert not FREE
    assert parse_restriction("", DUEL) is FREE
    assert load_strategy("balanced", kind="duel").restriction is FREE


@pytest.mark.parametrize(
    ("text", "vocabulary", "kind", "says"),
    [
        ("no-wager", DUEL, UnknownNameError, "did you mean"),
        ("no-leader", DUEL, SpecError, "of the other game"),
        ("no-wagers", BOARD, SpecError, "of the other game"),
        ("no-wagers@no-discard-draws", DUEL, UnknownNameError, "Join restrictions with +"),
        ("no-wagers+", DUEL, SpecError, "beside a +"),
        ("no-wagers=3", DUEL, SpecError, "Write no-wagers"),
        ("max-expeditions", DUEL, SpecError, "max-expeditions=4"),
        ("max-expeditions=-1", DUEL, SpecError, "max-expeditions=4"),
        ("max-expeditions=100", DUEL, SpecError, "max-expeditions=4"),
        ("no-lay=X5", DUEL, UsageError, "not a card"),
        ("no-lay=", BOARD, UsageError, "not a card"),
        ("no-wagers:", DUEL, SpecError, "round.turn"),
        ("no-wagers:1", DUEL, SpecError, "round.turn"),
        ("no-wagers:a.b", DUEL, SpecError, "round.turn"),
        ("no-wagers:0.1+no-lay=R5:0.2", DUEL, SpecError, "more than one turn"),
        ("+", DUEL, SpecError, "beside a +"),
    ],
)
def test_what_is_no_restriction_is_explained(text, vocabulary, kind, says):
    with pytest.raises(kind) as caught:
        parse_restriction(text, vocabulary)
    assert says in f"{caught.value.message} {caught.value.hint}"


def test_capitals_are_taken_as_they_are_meant():
    assert parse_restriction("NO-Wagers", DUEL).text == "no-wagers"


@pytest.mark.parametrize(
    ("text", "has_effect"),
    [
        ("no-lay=P5", False),
        ("no-lay=Y5", True),
        ("max-expeditions=5", False),
        ("max-expeditions=4", True),
        ("no-wagers:3.0", False),
        ("no-wagers:2.0", True),
        ("no-wagers:0.400", False),
        ("no-wagers:9.9+no-discard-draws", True),
    ],
)
def test_a_restriction_that_can_forbid_nothing_is_refused(text, has_effect):
    restriction = parse_restriction(text, DUEL)
    rulesets = [parse_ruleset("duel"), parse_ruleset("duel:rounds=1")]
    if has_effect:
        check_effect(text, restriction, rulesets)
    else:
        with pytest.raises(SpecError, match="forbidden nothing under duel, duel:rounds=1"):
            check_effect(text, restriction, rulesets)


def test_a_sign_with_nothing_behind_is_an_error():
    with pytest.raises(SpecError, match="ends after the @"):
        load_strategy("balanced@", kind="duel")


def test_the_restriction_is_part_of_spec_label_and_digest():
    free = load_strategy("cautious-opener:open_at=18", kind="duel")
    bound = load_strategy("cautious-opener:open_at=18@no-wagers", kind="duel")
    assert bound.spec == bound.label == "cautious-opener:open_at=18@no-wagers"
    assert bound.name == free.name
    assert bound.digest != free.digest


STUBBORN = """
from lcsim.duel import DISCARD, DRAW_DECK, Strategy, lowest_bit, make_card


class Stubborn(Strategy):
    \"\"\"Lays what it holds, whatever its view offers.\"\"\"

    def choose_play(self, view, rng):
        for color in range(view.colors):
            if view.hand[color] & 7 and view.mine[color] == 0:
                return make_card(color, lowest_bit(view.hand[color] & 7))
        for color in range(view.colors):
            if view.hand[color]:
                return DISCARD + make_card(color, lowest_bit(view.hand[color]))
        return -1

    def choose_draw(self, view, rng):
        return DRAW_DECK
"""


def test_a_strategy_that_makes_a_forbidden_move_has_broken(tmp_path):
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN, encoding="utf-8")
    game, ruleset = get_game("duel"), parse_ruleset("duel")
    free = compile_strategy(load_strategy(str(path), kind="duel"))
    bound = compile_strategy(load_strategy(f"{path}@no-wagers", kind="duel"))
    address = {"seed": 5, "first_deal": 0, "n_deals": 3}
    game.play_deals(ruleset, **address, strategies=[free, free])
    with pytest.raises(StrategyBrokeError, match="@no-wagers") as caught:
        game.play_deals(ruleset, **address, strategies=[free, bound])
    assert caught.value.strategy == 1
