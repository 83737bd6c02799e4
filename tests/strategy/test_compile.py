"""Compiled strategies: what authors may write, and what they are told where they may not."""

import numpy as np
import pytest

from lcsim.errors import StrategyBrokeError, StrategyCompileError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, load_strategy

RULESET = parse_ruleset("duel:rounds=1")


def play(path, n_deals=5):
    """Play a file against itself through the kernel and return the rows."""
    compiled = compile_strategy(load_strategy(str(path), kind="duel"))
    return get_game("duel").play_deals(
        RULESET, seed=1, first_deal=0, n_deals=n_deals, strategies=[compiled] * 2
    )


def test_helpers_constants_params_and_module_functions_compile(write_strategy):
    path = write_strategy(
        before=(
            "STEP = 2\ndef twice(x):\n    return thrice(x) - x\ndef thrice(x):\n    return 3 * x"
        ),
        inside=(
            "TABLE = (3, 5, 8)\n    best = Param(7, low=0, high=9)\n"
            "    def helper(self, view, card):\n        return self.other(card) + self.TABLE[1]\n"
            "    @staticmethod\n    def other(card):\n        return twice(rank_of(card))"
        ),
        lay="return self.helper(view, card) - self.best // STEP",
    )
    rows = play(path)
    loaded = load_strategy(str(path), kind="duel")
    for deal in range(5):
        record = get_game("duel").replay(
            RULESET, seed=1, deal=deal, rotation=0, strategies=[loaded.decider] * 2
        )
        assert record["totals"] == [rows[deal, 0, 0]["score_0"], rows[deal, 0, 0]["score_1"]]


def test_parameters_need_no_new_compilation(write_strategy):
    path = write_strategy(inside="x = Param(1.0, low=-9, high=9)", lay="return self.x")
    first = compile_strategy(load_strategy(str(path), kind="duel"))
    second = compile_strategy(load_strategy(f"{path}:x=-3", kind="duel"))
    assert first.hooks == second.hooks
    assert (first.params[0], second.params[0]) == (1.0, -3.0)
    rows = get_game("duel").play_deals(
        RULESET, seed=1, first_deal=0, n_deals=3, strategies=[first, second]
    )
    assert (rows["score_0"] != 0).any()
    assert (rows["score_1"] == 0).all()  # it would rather discard


def test_a_compilation_is_announced_once(write_strategy, tmp_path):
    path = write_strategy(lay=f"return {np.random.default_rng(tmp_path.stat().st_ino).random()}")
    said = []
    compile_strategy(load_strategy(str(path), kind="duel"), notify=said.append)
    compile_strategy(load_strategy(str(path), kind="duel"), notify=said.append)
    assert len(said) == 1
    assert "Mine" in said[0]


@pytest.mark.parametrize(
    ("parts", "line", "says"),
    [
        ({"lay": "return view.hands[0]"}, 8, "did you mean 'hand'"),
        ({"lay": "view.turn = 3\n        return 1"}, 8, "may only be read"),
        ({"lay": "view.hand[0] = 3\n        return 1"}, 8, "may only be read"),
        ({"lay": "self.x = 3\n        return 1"}, 8, "no state"),
        ({"discard": "return self.x"}, 10, "self.x is no parameter"),
        ({"draw": "pass"}, 11, "draw must return a number"),
        ({"draw": "return nothing(card)"}, 12, "nothing"),
        ({"lay": "return {'a': 1, 2: 'b'}['a']"}, 8, "lay"),
    ],
)
def test_what_cannot_be_compiled_is_told_with_its_line(write_strategy, parts, line, says):
    path = write_strategy(**parts)
    with pytest.raises(StrategyCompileError) as caught:
        play(path)
    assert says in str(caught.value)
    assert caught.value.line == line
    assert f"{path}, line {line}" in str(caught.value)


@pytest.mark.parametrize(
    ("parts", "line", "says"),
    [
        ({"lay": "return 1 // (view.deck_left - 30)"}, 8, "ZeroDivisionError"),
        ({"draw": "return math.nan", "before": "import math"}, 11, "not a number"),
        ({"lay": "hand = view.hand\n        hand[0] = 0\n        return 1"}, 9, "TypeError"),
    ],
)
def test_what_breaks_in_a_game_is_told_with_its_line(write_strategy, parts, line, says):
    path = write_strategy(**parts)
    with pytest.raises(StrategyBrokeError) as caught:
        play(path)
    assert says in str(caught.value)
    assert caught.value.line == line
    assert caught.value.deal >= 0


@pytest.mark.parametrize(
    ("play_", "draw", "says"),
    [
        ("return -7", "return DRAW_DECK", "not a card to lay"),
        ("return 255", "return DRAW_DECK", "not a card to lay"),
        ("return 10**9", "return DRAW_DECK", "not a card to lay"),
        ("return DISCARD + 1", "return DRAW_DECK", "not in the hand"),
        (
            "c = 0\n        while not view.hand[c]:\n            c += 1\n"
            "        return DISCARD + make_card(c, lowest_bit(view.hand[c]))",
            "return 5",
            "not a pile to draw from",
        ),
    ],
)
def test_an_illegal_move_ends_the_run(tmp_path, play_, draw, says):
    path = tmp_path / "mine.py"
    path.write_text(
        "from lcsim.duel import *\nclass Mine(Strategy):\n"
        f"    def choose_play(self, view, rng):\n        {play_}\n"
        f"    def choose_draw(self, view, rng):\n        {draw}\n"
    )
    with pytest.raises(StrategyBrokeError) as caught:
        play(path)
    assert says in str(caught.value)


def test_random_numbers_come_from_the_seat_alone(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from lcsim.duel import *\nclass Mine(Strategy):\n"
        "    def choose_play(self, view, rng):\n        c = 0\n"
        "        while not view.hand[c] or random_float(rng) < 0.3:\n"
        "            c = (c + 1) % view.colors\n"
        "        return DISCARD + make_card(c, lowest_bit(view.hand[c]))\n"
        "    def choose_draw(self, view, rng):\n        return DRAW_DECK\n"
    )
    compiled = compile_strategy(load_strategy(str(path), kind="duel"))
    assert compiled.uses_rng
    assert play(path).tobytes() == play(path).tobytes()
