"""Recursion is refused before anything is compiled; functions made by functions are compiled."""

import pytest

from lcsim.errors import StrategyCompileError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, load_strategy

RULESET = parse_ruleset("duel:rounds=1")
NUMBER = "1.0 if n > 9 else"
CIRCLES = {
    "a function": (
        {"before": f"def f(n):\n    return {NUMBER} f(n + 1)", "lay": "return f(card)"},
        2,
        "f calls itself",
    ),
    "two functions": (
        {
            "before": f"def f(n):\n    return {NUMBER} g(n + 1)\ndef g(n):\n    return f(n) + 1",
            "lay": "return g(card)",
        },
        2,
        "g calls f, which calls g",
    ),
    "three, the last of which leads back to the second": (
        {
            "before": "def f(n):\n    return g(n)\ndef g(n):\n    return h(n)\n"
            f"def h(n):\n    x = [{NUMBER} g(m) for m in range(n)]\n    return x[0]",
            "draw": "return f(card)",
        },
        6,
        "g calls h, which calls g",
    ),
    "a lambda": (
        {"before": f"f = lambda n: {NUMBER} f(n + 1)", "lay": "return f(card)"},
        1,
        "<lambda> calls itself",
    ),
    "another name": (
        {"before": f"def f(n):\n    return {NUMBER} g(n + 1)\ng = f", "lay": "return g(card)"},
        2,
        "f calls itself",
    ),
    "a function kept by itself": (
        {
            "before": f"def make():\n    def f(n):\n        return {NUMBER} f(n + 1)\n"
            "    return f\ng = make()",
            "lay": "return g(card)",
        },
        2,
        "f calls itself",
    ),
    "a method": (
        {
            "inside": f"def f(self, n):\n        return {NUMBER} self.f(n + 1)",
            "lay": "return self.f(card)",
        },
        6,
        "f calls itself",
    ),
    "two methods": (
        {
            "inside": f"def f(self, n):\n        return {NUMBER} self.g(n + 1)\n"
            "    @staticmethod\n    def g(n):\n        return Mine.f(n)\n"
            "    def h(self, n):\n        return self.f(n) + self.i(n)\n"
            "    def i(self, n):\n        return self.h(n)",
            "discard": "return self.h(card)",
        },
        13,
        "h calls i, which calls h",
    ),
    "a hook": ({"lay": f"n = card; return {NUMBER} self.lay(view, n + 1)"}, 8, "lay calls itself"),
    "a function inside a method": (
        {"lay": f"def f(n):\n            return {NUMBER} f(n + 1)\n        return f(card)"},
        7,
        "a function inside it calls itself",
    ),
}


@pytest.mark.parametrize("why", CIRCLES)
def test_recursion_is_refused_with_its_line(why, write_strategy):
    parts, line, says = CIRCLES[why]
    path = write_strategy(**parts)
    with pytest.raises(StrategyCompileError) as caught:
        compile_strategy(load_strategy(str(path), kind="duel"))
    assert says in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f"{path}, line {line}: Mine cannot be compiled: ")


@pytest.mark.parametrize(
    ("parts", "line", "says"),
    [
        ({"lay": "return sum(x for x in range(card))"}, 8, "it makes a generator"),
        (
            {
                "before": "def wrap(f):\n    def g(self, x):\n        return f(self, x)\n"
                "    return g",
                "inside": "@wrap\n    def f(self, x):\n        return x",
                "lay": "return self.f(card)",
            },
            2,
            "f is no plain method",
        ),
        (
            {"inside": "f = lambda self, x: x", "lay": "return self.f(card)"},
            5,
            "<lambda> cannot be found",
        ),
    ],
)
def test_code_of_other_kinds_is_refused_with_its_line(write_strategy, parts, line, says):
    path = write_strategy(**parts)
    with pytest.raises(StrategyCompileError) as caught:
        compile_strategy(load_strategy(str(path), kind="duel"))
    assert says in caught.value.message
    assert caught.value.line == line


def test_functions_made_by_functions_are_compiled_each_by_itself(write_strategy):
    path = write_strategy(
        before=(
            "def make(k):\n    def f(x):\n        return x * k\n    return f\n"
            "twice, thrice = make(2), make(3)\n"
            "def again(h):\n    def g(x):\n        return h(h(x))\n    return g\n"
            "@again\ndef far(x):\n    return x + 7\n"
            "one = lambda x: x + 1\ntwo = lambda x: x + 2\n"
            "def lost():\n    def f(n):\n        return f(n)\n    return f\nnever = lost()\n"
            "def never_2(n):\n    return never_2(n)"
        ),
        lay="return thrice(rank_of(card)) - twice(view.turn) + far(0) - one(view.round)",
        discard="near = lambda x: x + view.turn; return two(rank_of(card)) - one(near(0))",
    )
    path.write_text(path.read_text(), encoding="utf-8-sig")  # as some editors write it
    loaded = load_strategy(str(path), kind="duel")
    game, compiled = get_game("duel"), compile_strategy(loaded)
    rows = game.play_deals(RULESET, seed=1, first_deal=0, n_deals=5, strategies=[compiled] * 2)
    for deal in range(5):
        record = game.replay(
            RULESET, seed=1, deal=deal, rotation=0, strategies=[loaded.decider] * 2
        )
        assert record["totals"] == [rows[deal, 0, 0]["score_0"], rows[deal, 0, 0]["score_1"]]
