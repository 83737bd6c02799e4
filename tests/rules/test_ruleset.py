"""Rulesets as text: canonical specs, overrides, and what is refused."""

import pytest

from lcsim.errors import RulesetError, SpecError, UnknownNameError
from lcsim.rules import GAMES, build_ruleset, get_game, list_presets, parse_ruleset


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("duel", "duel"),
        (" duel : rounds=3 ", "duel"),
        ("duel:rounds=1,bonus_points=0", "duel:bonus_points=0,rounds=1"),
        ("duel:redraw_own_discard=yes", "duel:redraw_own_discard=yes"),
        ("classic:direction=either", "classic:direction=either"),
        ("duel-long:colors=6", "duel-long"),
    ],
)
def test_a_spec_has_one_canonical_text(text, canonical):
    ruleset = parse_ruleset(text)
    assert ruleset.spec == canonical
    assert parse_ruleset(ruleset.spec) == ruleset


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("duell", UnknownNameError, "did you mean 'duel'?"),
        ("duel:bonus=3", UnknownNameError, "did you mean 'bonus_cards'?"),
        ("duel:rounds", SpecError, "name=value"),
        ("duel:rounds=1,rounds=2", SpecError, "twice"),
        ("duel:rounds=x", RulesetError, "whole number from 1 to 1000"),
        ("duel:rounds=0", RulesetError, "whole number from 1 to 1000"),
        ("duel:rounds=1.5", RulesetError, "whole number"),
        ("duel:direction=down", RulesetError, "ascending, either"),
        ("duel:redraw_own_discard=perhaps", RulesetError, "yes nor no"),
        ("duel:hand_size=30", RulesetError, "at most 29"),
        ("duel:lowest_rank=9,highest_rank=3", RulesetError, "above"),
        ("duel:colors=7", RulesetError, "from 1 to 6"),
    ],
)
def test_a_wrong_spec_says_what_is_allowed(text, error, says):
    with pytest.raises(error) as caught:
        parse_ruleset(text)
    assert says in str(caught.value)


def test_a_typed_value_is_checked_too():
    with pytest.raises(RulesetError):
        build_ruleset("duel", {"rounds": "2", "colors": True})
    with pytest.raises(RulesetError):
        build_ruleset("duel", {"rounds": 2.0})


def test_every_preset_is_described_with_sources_and_marks():
    assert {name for _, name in list_presets()} >= {"classic", "duel", "duel-long"}
    for game in GAMES.values():
        for name, preset in game.presets.items():
            notes = {note.name: note for note in game.describe(preset)}
            assert all(note.source and note.help for note in notes.values()), name
            assert notes["turn_limit"].assumed


def test_the_rules_that_no_field_changes_are_told():
    for game in GAMES.values():
        told = " ".join(game.fixed)
        assert all(sentence.endswith(").") and "sheet" in sentence for sentence in game.fixed)
        assert "round ends" in told
        assert "Most points win" in told
        assert "0" in told
    assert "most artefacts of the whole game" in " ".join(get_game("board").fixed)
    assert "fewer than 0 points" in " ".join(get_game("board").fixed)


def test_a_field_of_ones_own_is_not_assumed():
    game = get_game("duel")
    notes = {note.name: note for note in game.describe(parse_ruleset("duel:turn_limit=50"))}
    assert not notes["turn_limit"].assumed
    assert "400" in notes["turn_limit"].source
    assert notes["next_starter"].assumed
