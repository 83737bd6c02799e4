"""Strategies that break for some values of their parameters: told with the values, and the game."""

import re
import shlex

import pytest

from lcsim.errors import StrategyBrokeError
from lcsim.rules import get_game, parse_ruleset
from lcsim.runner.backends import ThreadBackend
from lcsim.strategy import load_strategy
from lcsim.tune.settings import Settings, prepare_tuning
from lcsim.tune.tuning import run_tuning

BREAKS = """
from lcsim.duel import Param, Strategy, rank_of


class Breaks(Strategy):
    open_at = Param(10.0, low=0, high=54, help="points")

    def lay(self, view, card):
        if self.open_at > 20:
            {fault}
        return 10.0 - rank_of(card)

    def discard(self, view, card):
        return -1.0

    def draw(self, view, card):
        return -1.0
"""


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ('raise ValueError("too big")', "too big"),
        ("return self.open_at * 1e308 - self.open_at * 1e308", "not a number"),
    ],
    ids=["raises", "nan"],
)
def test_who_breaks_is_told_with_the_values_and_the_game(tmp_path, fault, says):
    path = tmp_path / "breaks.py"
    path.write_text(BREAKS.format(fault=fault), encoding="utf-8")
    settings = Settings(
        str(path), ("ladder",), ruleset="duel:rounds=1", budget=4000, deals=10, spread=1.0
    )
    told = set()
    for jobs in (1, 2):
        tuning = prepare_tuning(settings, [tmp_path])
        with pytest.raises(StrategyBrokeError, match=says) as caught:
            run_tuning(tuning, tmp_path / str(jobs), ThreadBackend(jobs))
        told.add(str(caught.value))
    assert len(told) == 1
    message, hint = told.pop().split("\n")
    spec = re.search(r"played as (\S+:open_at=\S+)", message)[1]
    words = shlex.split(hint.partition(": ")[2])
    assert words[:4] == ["lcsim", "replay", spec, "ladder"]
    assert words[-2:] == ["--strategies", str(tmp_path)]
    ruleset = parse_ruleset(settings.ruleset)
    where = {name[2:]: int(text) for name, text in zip(words[6:12:2], words[7:12:2], strict=True)}
    seats = [load_strategy(text, kind="duel").decider for text in words[2:4]]
    with pytest.raises(StrategyBrokeError, match=says):
        get_game("duel").replay(ruleset, **where, strategies=seats)
