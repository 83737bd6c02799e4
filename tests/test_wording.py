"""Nouns after numbers, wherever a message has one."""

import pytest

from lcsim.errors import RulesetError, UsageError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import load_strategy
from lcsim.wording import pluralise


def test_a_noun_after_its_number():
    assert [pluralise(n, "point") for n in (-1, 0, 1, 2)] == ["point", "points", "point", "points"]
    assert [pluralise(n, "strategy", "strategies") for n in (1, 2)] == ["strategy", "strategies"]


def test_a_round_that_ends_with_one_point():
    game, ladder = get_game("duel"), load_strategy("ladder", kind="duel").decider
    words = {"seed": 1, "deal": 1, "rotation": 0, "strategies": [ladder, ladder]}
    record = game.replay(parse_ruleset("duel:rounds=1"), **words)
    record["rounds"][0]["scores"] = [1, -1]
    told = game.render_replay(record)
    assert "; 1 point\n" in told
    assert "; -1 point\n" in told


def test_a_deck_of_one_wager_a_color():
    duel = get_game("duel")
    with pytest.raises(UsageError, match="1 wager of a color"):
        duel.score_text(parse_ruleset("duel:wagers_per_color=1"), "Rw Rw R5")


def test_a_ruleset_with_one_place_for_tiles():
    with pytest.raises(RulesetError, match="1 place for 25 tiles"):
        parse_ruleset("board:colors=1,tile_places=2,removed_cards=0")
