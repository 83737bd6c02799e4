"""What would end a thread, a process or a run is a strategy's error like any other."""

import threading

import numpy as np
import pytest

import lcsim.strategy.load
from lcsim.errors import StrategyBrokeError, StrategyLoadError
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.lockstep import ask
from lcsim.rules.streams import Streams
from lcsim.rules.underway import contain
from lcsim.runner import run_plan
from lcsim.runner.backends import ThreadBackend
from lcsim.runner.courier import Courier
from lcsim.runner.remote import PLAY, play_order
from lcsim.strategy import load_strategy

BATCH = """import numpy as np
from lcsim.duel import *
class Mine(BatchStrategy):
    {inside}
    def choose_play(self, views, rngs):
        {body}
    def choose_draw(self, views, rngs):
        return np.full(len(views), DRAW_DECK)
"""
DECIDING = """from lcsim.duel import *
class Mine(Strategy):
    {inside}

    def choose_play(self, view, rng):
        {body}
    def choose_draw(self, view, rng):
        return DRAW_DECK
"""
RATING = """from lcsim.duel import *
class Mine(Strategy):
    {inside}

    def lay(self, view, card):
        {body}
    def discard(self, view, card):
        return 0
    def draw(self, view, card):
        return -1
"""
FORMS = {"batch": (BATCH, 6), "deciding": (DECIDING, 6), "rating": (RATING, 6)}
ENDS = ["SystemExit(0)", "KeyboardInterrupt", "GeneratorExit", "BaseException('all')"]


@pytest.fixture(params=FORMS)
def write(request, tmp_path):
    """Return a function that writes a strategy of one form, and the line of its body."""
    text, line = FORMS[request.param]

    def write(body, *, inside="pass"):
        path = tmp_path / "mine.py"
        path.write_text(text.format(body=body, inside=inside))
        return path

    return write, line


@pytest.mark.parametrize("end", [*(f"raise {end}" for end in ENDS), "exit()", "quit(1)"])
def test_what_ends_more_than_a_decision_is_refused_by_name(end, write):
    write_one, line = write
    path = write_one(end)
    with pytest.raises(StrategyLoadError, match=r"is out of bounds for a strategy") as caught:
        load_strategy(str(path), kind="duel")
    assert (caught.value.line, caught.value.exit_code) == (line, 3)
    assert "ValueError" in caught.value.hint


@pytest.mark.parametrize(
    "inside",
    [
        "def __init__(self):\n        self.n = 0",
        "def __setattr__(self, name, value):\n        pass",
        "@classmethod\n    def __init_subclass__(cls):\n        pass",
        "@property\n    def __dict__(self):\n        return {}",
    ],
)
def test_how_a_strategy_is_made_is_not_its_own(inside, write):
    write_one, _ = write
    path = write_one("return 1", inside=inside)
    with pytest.raises(StrategyLoadError, match=r"Mine\.__\w+__ is out of bounds") as caught:
        load_strategy(str(path), kind="duel")
    assert f"{path}, line {caught.value.line}: " in caught.value.message
    assert caught.value.line in (3, 4)


@pytest.fixture
def unread(monkeypatch):
    """Have files run that reading them would refuse."""
    monkeypatch.setattr(lcsim.strategy.load, "scan_source", lambda *_: ())


def call_in_thread(task):
    caught = []

    def run():
        try:
            task()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    return caught[0]


@pytest.mark.parametrize("end", ENDS)
def test_what_escapes_the_reading_breaks_the_referee_with_its_line(end, write, unread):
    write_one, line = write
    decider = load_strategy(str(write_one(f"raise {end}")), kind="duel").decider
    ruleset = parse_ruleset("duel:rounds=1")

    def replay():
        get_game("duel").replay(ruleset, seed=1, deal=0, rotation=0, strategies=[decider, decider])

    error = call_in_thread(replay)
    assert isinstance(error, StrategyBrokeError)
    assert error.line == line
    assert end.partition("(")[0] in error.message


@pytest.mark.parametrize("end", [SystemExit(0), GeneratorExit(), KeyboardInterrupt()])
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_escapes_in_a_batch_ends_the_run_with_its_name(end, jobs, tmp_path, unread):
    path = tmp_path / "mine.py"
    body = f"raise {type(end).__name__}"
    path.write_text(BATCH.format(body=body, inside="pass"))
    experiment = build_match_experiment([str(path), "ladder-numpy"], "duel", games=8, seed=1)

    def run():
        run_plan(build_plan(experiment), None, backend=ThreadBackend(jobs))

    error = call_in_thread(run)
    assert isinstance(error, StrategyBrokeError)
    assert (error.line, error.exit_code) == (6, 3)
    assert "lcsim replay" in error.hint


class Nowhere:
    """A backend whose units nobody plays."""

    is_remote, is_here, jobs = True, True, 1


@pytest.mark.parametrize("end", [SystemExit(0), GeneratorExit(), KeyboardInterrupt()])
def test_a_unit_answers_whatever_escapes_in_it(end, monkeypatch):
    def play_unit(*_args, **_options):
        raise end

    monkeypatch.setattr("lcsim.runner.remote.play_unit", play_unit)
    experiment = build_match_experiment(["balanced", "ladder"], "duel", games=8, seed=1)
    courier = Courier(build_plan(experiment), None, Nowhere())
    header = (*courier._task.args[0][:3], 30.0, *courier._task.args[0][4:])
    result = play_order(header, courier._write(PLAY, 0))
    assert f"met a fault: ValueError: {type(end).__name__}" in result.error.message


def test_ctrl_c_of_the_user_stays_what_it_is():
    with pytest.raises(KeyboardInterrupt), contain():
        raise KeyboardInterrupt


def test_a_batch_strategy_cannot_exit():
    class Player:
        def choose_play(self, views, rngs):
            raise SystemExit(0)

    with pytest.raises(ValueError, match="SystemExit: 0"):
        ask(Player(), "choose_play", np.zeros(2), Streams(np.zeros((2, 4), np.uint64)))
