"""Guests: strategies that play inside another one's head."""

import copy

import numpy as np
import pytest

from lcsim.errors import (
    RunDirError,
    SpecError,
    StrategyBrokeError,
    StrategyCompileError,
    UnknownNameError,
)
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.experiment.rebuild import rebuild_plan
from lcsim.experiment.stored import check_manifest
from lcsim.rules import get_game, parse_ruleset
from lcsim.runner import run_plan
from lcsim.store import open_run
from lcsim.strategy import compile_strategy, load_strategy
from lcsim.testing import check_strategy

GAME = get_game("duel")

HOST = '''
from lcsim.duel import *

class Host(Strategy):
    """Tries the lowest card both ways, once, and asks its guest for the draws."""

    rollout = Guest("ladder", help="who plays on")
    shift = Param(0, low=-100, high=100, help="points that laying is thought to be worth")

    def choose_play(self, view, rng):
        for color in range(view.colors):
            cards = view.hand[color] & view.playable[color]
            if cards:
                card = make_card(color, lowest_bit(cards))
                table = lay_out(view, self.rollout, rng)
                deal_world(table, 3)
                lay = try_move(table, card) + self.shift
                return card if lay > try_move(table, card + DISCARD) else card + DISCARD
        return ask_guest(lay_out(view, self.rollout, rng))

    def choose_draw(self, view, rng):
        return ask_guest(lay_out(view, self.rollout, rng))
'''

FIRST = """
from lcsim.duel import *

class First(Strategy):
    \"\"\"Plays at random, to use random numbers.\"\"\"

    {inside}

    def lay(self, view, card):
        return {lay}
    def discard(self, view, card):
        return 0
    def draw(self, view, card):
        return -1
"""


@pytest.fixture
def host(tmp_path):
    path = tmp_path / "host.py"
    path.write_text(HOST, encoding="utf-8")
    return path


def write_guest(tmp_path, *, inside="", lay="1"):
    path = tmp_path / "guest.py"
    path.write_text(FIRST.format(inside=inside, lay=lay), encoding="utf-8")
    return path


def test_a_host_keeps_the_rules_and_plays_the_same_compiled_and_not(host):
    assert check_strategy(str(host), n_games=4) == []


def test_who_plays_on_decides_the_moves(host):
    ruleset = parse_ruleset("duel:rounds=1")
    rows = []
    for spec in (f"{host}", f"{host}:rollout=ladder", f"{host}:rollout=balanced"):
        compiled = compile_strategy(load_strategy(spec, kind="duel"))
        other = compile_strategy(load_strategy("ladder", kind="duel"))
        rows.append(
            GAME.play_deals(ruleset, seed=5, first_deal=0, n_deals=10, strategies=[compiled, other])
        )
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[1], rows[2])


def test_a_guest_is_part_of_spec_label_and_digest(host):
    plain = load_strategy(str(host))
    named = load_strategy(f"{host}:rollout=balanced,shift=3")
    assert plain.spec == load_strategy(f"{host}:rollout=ladder").spec == str(host)
    assert named.spec == f"{host}:shift=3,rollout=balanced"
    assert named.label == "host:shift=3,rollout=balanced"
    assert load_strategy(named.spec).digest == named.digest
    assert plain.digest != load_strategy(f"{host}:rollout=balanced").digest


def test_a_guest_given_by_its_file_counts_by_what_stands_there(host, tmp_path):
    guest = write_guest(tmp_path)
    first = load_strategy(f"{host}:rollout={guest}")
    assert first.guests["rollout"].path == guest
    write_guest(tmp_path, lay="2")
    assert load_strategy(f"{host}:rollout={guest}").digest != first.digest


def test_a_name_that_ends_in_py_is_the_value_of_the_guest(tmp_path, monkeypatch, host):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "host.py").write_text(HOST, encoding="utf-8")
    write_guest(tmp_path)
    assert load_strategy("host:rollout=guest.py", kind="duel").guests["rollout"].name == "first"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("balanced:tempo=3", "a guest takes no parameters"),
        ("mine.py:tempo=3", "a guest takes no parameters"),
        ("a/mine.py:Mine", "a guest takes no parameters"),
        ("{host}", "has guests itself"),
    ],
)
def test_a_guest_plays_as_it_is_and_alone(host, value, said):
    with pytest.raises(SpecError, match=said):
        load_strategy(f"{host}:rollout=" + value.format(host=host), kind="duel")


def test_a_guest_with_parameters_is_said_of_named_hosts_too():
    with pytest.raises(SpecError, match=r"planner: rollout=mine\.py:tempo=3 says more"):
        load_strategy("planner:rollout=mine.py:tempo=3", kind="duel")


def test_a_guest_that_is_not_there_is_named(host):
    with pytest.raises(UnknownNameError, match="balansed"):
        load_strategy(f"{host}:rollout=balansed", kind="duel")
    with pytest.raises(UnknownNameError, match="rolout"):
        load_strategy(f"{host}:rolout=balanced", kind="duel")


def test_a_guest_that_raises_breaks_its_host_where_that_stands(host, tmp_path):
    guest = write_guest(tmp_path, lay="1 // (view.turn - view.turn)")
    compiled = compile_strategy(load_strategy(f"{host}:rollout={guest}"))
    with pytest.raises(
        StrategyBrokeError, match=r"host.py, line \d+: host broke in round 0.*division"
    ):
        GAME.play_deals(
            parse_ruleset("duel"), seed=5, first_deal=0, n_deals=1, strategies=[compiled] * 2
        )


def test_two_guests_are_the_most(tmp_path):
    guests = "\n    ".join(f'g{i} = Guest("ladder")' for i in range(3))
    path = write_guest(tmp_path, inside=guests)
    with pytest.raises(StrategyCompileError, match="more than 2 guests"):
        compile_strategy(load_strategy(str(path)))


def test_a_run_keeps_the_guest_and_notices_that_it_has_changed(host, tmp_path):
    guest = write_guest(tmp_path)

    def play():
        specs = (f"{host}:rollout={guest}", "ladder")
        experiment = build_match_experiment(specs, "duel:rounds=1", games=4, seed=1)
        return run_plan(build_plan(experiment), tmp_path / "run", jobs=1)

    play()
    run = open_run(tmp_path / "run")
    kept = run.manifest["strategies"][0]["guests"]["rollout"]
    assert (tmp_path / "run" / "sources" / kept["source"]).read_text() == guest.read_text()
    stored = check_manifest(run.path, run.manifest)
    rebuilt = rebuild_plan(run.path, stored, folders=[tmp_path])
    assert rebuilt.plan.strategies[0].digest == stored.strategies[0].digest
    assert rebuilt.plan.strategies[0].guests["rollout"].path == guest
    changed = copy.deepcopy(run.manifest)
    changed["strategies"][0]["guests"]["rollout"]["digest"] = "0" * 64
    with pytest.raises(RunDirError, match="they do not go together"):
        check_manifest(run.path, changed)
    write_guest(tmp_path, lay="2")
    with pytest.raises(RunDirError, match="has changed"):
        play()
