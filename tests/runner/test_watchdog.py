"""A decision that takes too long is told, interrupted where possible, handed on elsewhere."""

import threading

import pytest

from lcsim.errors import StrategyBrokeError, StrategyLoadError
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.underway import UNDER_WAY, OverrunError, decide_plainly
from lcsim.runner.watchdog import DECISION_LIMIT, limit_decisions
from lcsim.strategy import compile_strategy, load_strategy

DUEL = """
from lcsim.duel import Strategy

class Mine(Strategy):
    def lay(self, view, card):
        return 1.0

    def discard(self, view, card):
        {discard}

    def draw(self, view, card):
        return -1.0
"""
BOARD = (
    DUEL.replace("lcsim.duel", "lcsim.board")
    + """
    def open_with_leader(self, view, card):
        return -1.0

    def step(self, view, color):
        {step}
"""
)
ENDLESS = """while view.turn >= 0:
            pass
        return 0.0"""
# It answers in the end, after a second or more; what it adds up depends on the view.
BUSY = """total = 0.0
        while view.turn == 4 and view.round == 0 and total < 8e6:
            total += 1.0 + 1e-9 * (total % 3.0)
        return -1.0 - total"""
TEXTS = {"duel": DUEL, "board": BOARD}


@pytest.fixture
def make_strategy(tmp_path):
    """Return a maker of strategies from the bodies of two of their methods."""

    def make(kind, *, discard="return 0.0", step="return 1.0"):
        path = tmp_path / "mine.py"
        path.write_text(TEXTS[kind].format(discard=discard, step=step))
        return load_strategy(str(path))

    return make


def find_line(strategy, words):
    lines = strategy.source.splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


@pytest.mark.parametrize("kind", TEXTS)
def test_plain_python_is_interrupted_at_its_line(kind, make_strategy):
    strategy = make_strategy(kind, discard=ENDLESS)
    with limit_decisions(0.1), pytest.raises(StrategyBrokeError) as caught:
        get_game(kind).replay(
            parse_ruleset(kind),
            seed=1,
            deal=3,
            rotation=1,
            strategies=[strategy.decider] * 2,
        )
    first = find_line(strategy, "while view.turn")
    assert caught.value.line in (first, first + 1)
    assert caught.value.path == strategy.path
    assert (caught.value.deal, caught.value.rotation) == (3, 1)
    assert "mine broke in round 0, turn 0 (choose_play): no answer within 0.1 s" in str(
        caught.value
    )
    assert caught.value.replay["deal"] == 3
    assert not UNDER_WAY


@pytest.mark.parametrize("kind", TEXTS)
def test_compiled_code_is_told_and_handed_to_whoever_ends_it(kind, make_strategy, tmp_path):
    strategy = make_strategy(kind, discard=BUSY)
    ended, told, seats = [], [], [compile_strategy(strategy)] * 2
    game = get_game(kind)
    game.load_kernel()
    with limit_decisions(0.1, end=ended.append, tell=told.append, folders=[tmp_path]):
        game.play_deals(parse_ruleset(kind), seed=5, first_deal=7, n_deals=1, strategies=seats)
    error = ended[0]
    line = find_line(strategy, "def lay")
    assert isinstance(error, StrategyBrokeError)
    assert (error.deal, error.rotation, error.line, error.path) == (7, 0, line, strategy.path)
    assert f"mine.py, line {line}: mine broke in round 0, turn 4 (choose_play)" in error.message
    assert error.message.endswith("no answer within 0.1 s, the limit of a decision")
    assert error.hint.startswith("replay that game up to that turn: lcsim replay ")
    assert f"--ruleset {kind} --seed 5 --deal 7 --rotation 0 --strategies" in error.hint
    assert len(told) == 1
    assert told[0].startswith("warning: a decision has taken 0.0")
    assert f"the limit is 0.1 s: {strategy.path}, line {line}" in told[0]
    assert not UNDER_WAY


def test_a_step_that_takes_long_is_named(make_strategy):
    strategy = make_strategy("board", step=BUSY.replace("view.turn == 4", "view.turn >= 4"))
    ended, seats = [], [compile_strategy(strategy)] * 2
    with limit_decisions(0.1, end=ended.append):
        rules = parse_ruleset("board:rounds=1,turn_limit=20")
        get_game("board").play_deals(rules, seed=5, first_deal=0, n_deals=2, strategies=seats)
    assert {"choose_step" in error.message for error in ended} == {True}


def test_nobody_is_told_of_decisions_in_time(make_strategy):
    strategy = make_strategy("duel")
    ended, told, seats = [], [], [compile_strategy(strategy)] * 2
    with limit_decisions(DECISION_LIMIT, end=ended.append, tell=told.append):
        get_game("duel").play_deals(
            parse_ruleset("duel"), seed=5, first_deal=0, n_deals=2000, strategies=seats
        )
    assert (ended, told) == ([], [])


def test_an_import_that_does_not_end_is_interrupted(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("n = 1\nwhile n:\n    n += 1\n")
    told, refused = [], pytest.raises(StrategyLoadError, match="does not end")
    with limit_decisions(0.3, tell=told.append), refused as caught:
        load_strategy(str(path))
    assert caught.value.line in (2, 3)
    assert [text.partition(" has taken")[0] for text in told] == [f"warning: importing {path}"]


def test_a_limit_inside_another_changes_nothing():
    with limit_decisions(60.0):
        n_threads = threading.active_count()
        with limit_decisions(0.01):
            assert threading.active_count() == n_threads
    assert threading.active_count() == n_threads - 1


def test_an_interrupt_that_comes_too_late_is_raised_all_the_same():
    late = type("Late", (OverrunError,), {"limit": 2.0})
    with (
        pytest.raises(OverrunError, match="no answer within 2 s"),
        decide_plainly(StrategyLoadError),
    ):
        next(iter(UNDER_WAY.values())).overrun = late
    assert not UNDER_WAY
