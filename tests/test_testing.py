"""The conformance suite catches what it promises to catch, with file and line."""

import dataclasses
from pathlib import Path

import pytest

from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK
from lcsim.rules.duel.referee import deal_table
from lcsim.rules.streams import Stream
from lcsim.strategy import load_strategy
from lcsim.testing import ScriptedStrategy, _Watch, check_strategy, describe_findings

RATING = """{before}
from lcsim.duel import *


class Mine(Strategy):
    def lay(self, view, card):
        {lay}

    def discard(self, view, card):
        return 0

    def draw(self, view, card):
        return -1
"""
DECIDING = """from lcsim.duel import *


class Mine(Strategy):
    def choose_play(self, view, rng):
        {play}

    def choose_draw(self, view, rng):
        return DRAW_DECK
"""
LOWEST = "c = 0\n        while not view.hand[c]:\n            c += 1\n        "


def rating(lay, before=""):
    return RATING.format(lay=lay, before=before)


BAD = {
    "reads beyond the view": (rating("return view.hand[40]"), 7, "IndexError: "),
    "reads the referee's frames": (
        rating('return sys._getframe(2).f_locals["table"].draw_pile[0]', "import sys"),
        1,
        "out of bounds",
    ),
    "reaches for the engine": (rating("return 1", "import lcsim.rules"), 1, "out of bounds"),
    "reaches for its neighbours": (rating("return 1", "from . import x"), 1, "out of bounds"),
    "plays illegally": (DECIDING.format(play="return 3"), 5, "R2 is not in the hand"),
    "lays what cannot be laid": (
        DECIDING.format(play=LOWEST + "return make_card(c, lowest_bit(view.hand[c]))"),
        5,
        "cannot be laid",
    ),
    "is random without saying so": (rating("return random.random()", "import random"), 1, "rng"),
    "is random with NumPy": (
        rating("return np.random.random()", "import numpy as np"),
        7,
        "differ from run to run",
    ),
    "looks at the clock": (
        rating("return time.time()", "import time"),
        1,
        "differ from run to run",
    ),
    "prints": (rating("print(card)\n        return 1"), 7, "print is out of bounds"),
    "hashes": (rating("return hash('abc') % 100"), 7, "hash is out of bounds"),
    "reads memory": (
        rating(
            "return np.lib.stride_tricks.as_strided(view.hand, (99,), (8,))[70]",
            "import numpy as np",
        ),
        7,
        "out of bounds",
    ),
    "raises": (rating("return 1 / (view.deck_left - 20)"), 7, "ZeroDivisionError"),
    "has a syntax error": (rating("return ("), 7, "syntax error"),
    "answers NaN": (rating("return math.nan", "import math"), 6, "not a number"),
    "writes into the view": (rating("view.hand[0] = 1\n        return 1"), 7, "only be read"),
    "writes behind an alias": (
        rating("hand = view.hand\n        hand[0] = 1\n        return 1"),
        8,
        "does not support item assignment",
    ),
    "keeps state in self": (rating("self.n = 1\n        return 1"), 7, "no state"),
    "keeps state in its module": (
        rating("seen.append(card)\n        return len(seen)", "seen = []"),
        7,
        "seen is changed, and outlives the move",
    ),
    "mistypes a field": (rating("return view.hnd[0]"), 7, "did you mean 'hand'"),
    "returns nothing": (rating("x = 1"), 6, "must return a number"),
}


@pytest.mark.parametrize("why", BAD)
def test_a_bad_strategy_is_caught_with_file_line_and_advice(tmp_path, why):
    text, line, says = BAD[why]
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    findings = check_strategy(path, kind="duel")
    assert findings, why
    first = findings[0]
    told = f"{first.what} {first.todo}"
    assert (first.level, first.path, first.line) == ("error", path, line), told
    assert says in told
    assert first.todo
    assert describe_findings(findings).startswith(f"{path}:{line}: error: ")


def test_nothing_of_a_refused_file_is_run(tmp_path):
    path, trace = tmp_path / "mine.py", tmp_path / "trace"
    path.write_text(rating("return 1", f"import os\nos.mkdir({str(trace)!r})"))
    assert "os is out of bounds" in check_strategy(path)[0].what
    assert not trace.exists()


def test_a_bool_is_a_rating(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(rating("return rank_of(card) > 5"))
    assert check_strategy(path, n_games=4) == []


def test_a_good_strategy_passes(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        rating("return self.open_at - rank_of(card)").replace(
            "(Strategy):\n", "(Strategy):\n    open_at = Param(6, low=0, high=9)\n\n"
        )
    )
    assert check_strategy(path) == []
    assert check_strategy(f"{path}:open_at=2", kind="duel") == []


def test_randomness_from_rng_passes():
    assert check_strategy("random-legal", kind="duel", n_games=4) == []


BOARD = """from lcsim.board import *


class Mine(Strategy):
    def lay(self, view, card):
        {lay}

    def discard(self, view, card):
        return 0

    def draw(self, view, card):
        return -1

    def open_with_leader(self, view, card):
        return 1

    def step(self, view, color):
        return 1
"""
BAD_AT_A_TABLE = {
    "reads beyond its opponents": (
        "return view.their_spaces[view.n_players - 1][0]",
        "with 4 players: mine broke in ",
        "IndexError: ",
    ),
    "breaks among three": (
        "return 1 / (view.n_players - 3)",
        "with 3 players: mine broke in ",
        "ZeroDivisionError",
    ),
    "breaks among four": (
        "return 1 / (4 - view.n_players)",
        "with 4 players: mine broke in ",
        "ZeroDivisionError",
    ),
    "breaks always": ("return view.hand[7]", "with 2 players: mine broke in ", "IndexError: "),
}


@pytest.mark.parametrize("why", BAD_AT_A_TABLE)
def test_every_number_of_players_is_tried(tmp_path, why):
    lay, begins, says = BAD_AT_A_TABLE[why]
    path = tmp_path / "mine.py"
    path.write_text(BOARD.format(lay=lay), encoding="utf-8")
    (finding,) = check_strategy(path)
    assert finding.what.startswith(begins)
    assert says in finding.what
    assert finding.line == 6


def test_a_strategy_that_plays_well_with_two_to_four_passes(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(BOARD.format(lay="return 1 / (view.n_players - 1)"))
    assert check_strategy(path, n_games=3) == []


def test_forms_that_differ_are_told_with_the_table(tmp_path, monkeypatch):
    path = tmp_path / "mine.py"
    path.write_text(BOARD.format(lay="return 1"))
    game = get_game("board")

    def settle(ruleset, rows):
        settled = game.settle_games(ruleset, rows)
        return settled._replace(points=settled.points + (settled.points.shape[2] == 4))

    changed = dataclasses.replace(game, settle_games=settle)
    monkeypatch.setattr("lcsim.testing.get_game", lambda kind: changed)
    (finding,) = check_strategy(path, n_games=3)
    assert finding.what == (
        "with 4 players: plays differently compiled than in plain Python "
        "(board, seed 2026, deal 0, rotation 0)"
    )


class FakeDecider:
    """Answers with what a test wants, whatever it is asked."""

    spec = name = "fake"
    path = Path(__file__)

    def __init__(self, answer):
        self.answer = answer
        self.lines = {"choose_play": 12}
        self.decider = self

    def choose_play(self, view, rng):
        return self.answer(view, rng)


@pytest.mark.parametrize("seat", [0, 1])
def test_dealing_hidden_cards_anew_changes_no_view(seat):
    ruleset = parse_ruleset("duel")
    table, _ = deal_table(ruleset, seed=3, deal=1, round_=0, points=[0, 0])
    card = next(c for c in range(96) if table.seats[0].hand[c >> 4] >> (c & 15) & 1)
    table.play(0, DISCARD + card)
    table.draw(0, DRAW_DECK)
    table.turn = 1
    mine = next(c for c in range(96) if table.seats[1].hand[c >> 4] >> (c & 15) & 1)
    table.play(1, DISCARD + mine)
    table.draw(1, card >> 4 if card >> 4 != mine >> 4 else DRAW_DECK)
    other = get_game("duel").shuffle_hidden(table, seat, Stream(1, 2, 3, 4))
    assert other.view(seat) == table.view(seat)
    assert other.draw_pile != table.draw_pile
    everything = sorted(
        [
            *other.draw_pile,
            *(c for s in other.seats for c in range(96) if s.hand[c >> 4] >> (c & 15) & 1),
        ]
    )
    before = sorted(
        [
            *table.draw_pile,
            *(c for s in table.seats for c in range(96) if s.hand[c >> 4] >> (c & 15) & 1),
        ]
    )
    assert everything == before


def test_the_watch_catches_a_peek_and_an_unsteady_answer():
    table, _ = deal_table(parse_ruleset("duel"), seed=3, deal=1, round_=0, points=[0, 0])
    game = get_game("duel")
    asked = []

    def peek(view, rng):
        asked.append(1)
        return len(asked) // 3  # the third question is asked with other cards hidden

    for answer, says in ((peek, "peeks"), (lambda v, r: asked.append(1) or len(asked), "differ")):
        fake = FakeDecider(answer)
        watch = _Watch(game, fake)
        watch(table, 0, fake, Stream(1, 1, 0, 16), "choose_play")
        assert says in watch.findings[0].what
        assert watch.findings[0].line == 12


def test_a_scripted_strategy_plays_its_script():
    balanced = load_strategy("balanced", kind="duel").decider
    table, _ = deal_table(parse_ruleset("duel:rounds=1"), seed=3, deal=1, round_=0, points=[0, 0])
    card = next(c for c in range(96) if table.seats[0].hand[c >> 4] >> (c & 15) & 1)
    scripted = ScriptedStrategy(
        {"choose_play": [DISCARD + card], "choose_draw": [DRAW_DECK]}, then=balanced
    )
    record = get_game("duel").replay(
        parse_ruleset("duel:rounds=1"),
        seed=3,
        deal=1,
        rotation=0,
        strategies=[scripted, balanced],
    )
    first = record["rounds"][0]["turns"][0]
    assert "discard" in first
    assert first["draw"] == "deck"
