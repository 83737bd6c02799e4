"""The board's rulesets: lists as text and typed, what is refused, and what is assumed."""

import pytest

from lcsim.errors import RulesetError, SpecError
from lcsim.rules import build_ruleset, get_game, parse_ruleset

GAME = get_game("board")
PLACES = "3/5/6/7/9|2/4/5/7/9|2/3/5/7/9|3/4/6/7/9|2/4/5/7/9"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("board", "board"),
        ("board:artefact_points=-25/-20/-15/-10/-5/-5/30/35/40/70", "board"),
        ("board:artefact_points=0/1,rounds=1", "board:rounds=1,artefact_points=0/1"),
        ("board:removed_cards=30/0/0", "board"),
        ("board:removed_cards=0/20", "board:removed_cards=0/20"),
        (f"board:tile_places={PLACES}", "board"),
        (
            "board:colors=2,artefact_tiles=0,step_tiles=0,vp_tiles=none,tile_places=none|none",
            "board:colors=2,artefact_tiles=0,step_tiles=0,vp_tiles=none,tile_places=none|none",
        ),
        ("board-short-updown:direction=either", "board-short-updown"),
    ],
)
def test_a_spec_with_lists_has_one_canonical_text(text, canonical):
    ruleset = parse_ruleset(text)
    assert ruleset.spec == canonical
    assert parse_ruleset(ruleset.spec) == ruleset
    assert hash(parse_ruleset(ruleset.spec)) == hash(ruleset)


def test_lists_may_be_typed():
    typed = build_ruleset("board", {"artefact_points": [0, 5, 9], "removed_cards": 20})
    assert typed == parse_ruleset("board:artefact_points=0/5/9,removed_cards=20")
    places = [[int(space) for space in path.split("/")] for path in PLACES.split("|")]
    assert build_ruleset("board", {"tile_places": places}) == parse_ruleset("board")


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("board:artefact_points=5", RulesetError, "2 to 32 whole numbers"),
        ("board:artefact_points=none", RulesetError, "2 to 32 whole numbers"),
        ("board:artefact_points=", SpecError, "name=value"),
        ("board:artefact_points=1/x", RulesetError, "not a list of whole numbers"),
        ("board:artefact_points=1//2", RulesetError, "not a list of whole numbers"),
        ("board:vp_tiles=0/5/10/10/10/15/15", RulesetError, "from 1 to 1000"),
        ("board:tile_places=3/5|2/4", RulesetError, "2 paths, and there are 5 colors"),
        (f"board:tile_places={PLACES.replace('3/5', '0/5', 1)}", RulesetError, "space 0 of R"),
        (f"board:tile_places={PLACES.replace('3/5', '1/5', 1)}", RulesetError, "space 1 of R"),
        (f"board:tile_places={PLACES.replace('9|', '10|', 1)}", RulesetError, "space 10 of R"),
        (f"board:tile_places={PLACES.replace('3/5/', '3/', 1)}", RulesetError, "24 places for 25"),
        (f"board:tile_places={PLACES.replace('3/5', '5/3', 1)}", RulesetError, "once, rising"),
        ("board:step_tiles=10", RulesetError, "25 places for 26 tiles"),
        ("board:lowest_rank=9,highest_rank=3", RulesetError, "above"),
        ("board:space_points=1/2/3", RulesetError, "beyond the last space, 3"),
        ("board:hand_size=54", RulesetError, "removed_cards=30 and hand_size=54"),
        ("board:removed_cards=110", RulesetError, "from 0 to 109"),
        ("board:removed_cards=1/2/3/4", RulesetError, "1 to 3 whole numbers"),
    ],
)
def test_a_wrong_spec_says_what_is_allowed(text, error, says):
    with pytest.raises(error) as caught:
        GAME.check_players(parse_ruleset(text), 2)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "values", [{"artefact_points": [1, 2.0]}, {"tile_places": [1, 2]}, {"rounds": [1]}]
)
def test_a_typed_list_is_checked_too(values):
    with pytest.raises(RulesetError):
        build_ruleset("board", values)


@pytest.mark.parametrize(
    ("ruleset", "n_players", "fits"),
    [
        ("board", 2, True),
        ("board", 4, True),
        ("board:removed_cards=93", 2, True),
        ("board:removed_cards=94", 2, False),
        ("board:removed_cards=94", 3, True),
        ("board:removed_cards=0/0/77", 4, True),
        ("board:removed_cards=0/0/78", 4, False),
        ("board:hand_size=30", 4, False),
        ("board:hand_size=30", 3, True),
    ],
)
def test_a_deck_must_do_for_the_players(ruleset, n_players, fits):
    if fits:
        GAME.check_players(parse_ruleset(ruleset), n_players)
    else:
        with pytest.raises(RulesetError, match=f"with {n_players} players") as caught:
            GAME.check_players(parse_ruleset(ruleset), n_players)
        assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "says", "advice"),
    [
        ("highest_rank=0", "the 10 cards, for any number of", "Remove none and deal hands of at"),
        ("highest_rank=0,removed_cards=0", "the 10 cards, for any", "Deal hands of at most 4."),
        ("hand_size=54", "removed_cards=30 and hand_size=54", "Remove at most 1 card, or deal"),
        ("colors=1,copies=1,highest_rank=0", "the 1 card, for any", "more colors, copies or ranks"),
        ("vp_tiles=", "not of the form name=value", "an empty list is none"),
        ("vp_tiles=0", "not possible", ", none for an empty list"),
        ("tile_places=9||||", "not a list of whole numbers", ", none for an empty list"),
        ("colors=4", "5 paths", "none for a path without tiles"),
    ],
)
def test_the_advice_can_be_followed(text, says, advice):
    empty = "artefact_tiles=0,step_tiles=0,vp_tiles=none,tile_places=none"
    spec = f"board:{text},{empty}" if text.startswith("colors=1") else f"board:{text}"
    with pytest.raises((RulesetError, SpecError)) as caught:
        parse_ruleset(spec)
    assert says in caught.value.message
    assert advice in caught.value.hint
    assert "at most 0" not in caught.value.hint


def test_what_no_sheet_prints_is_marked():
    assumed = {note.name for note in GAME.describe(parse_ruleset("board")) if note.assumed}
    assert assumed == {
        "tile_places",
        "artefact_points",
        "redraw_own_discard",
        "next_starter",
        "turn_limit",
    }
    short = {note.name for note in GAME.describe(parse_ruleset("board-short")) if note.assumed}
    assert short == {"tile_places", "redraw_own_discard", "turn_limit"}
    own = {note.name for note in GAME.describe(parse_ruleset("board:artefact_points=0/5"))}
    assert "artefact_points" in own


def test_presets_differ_where_they_should():
    board, short = parse_ruleset("board"), parse_ruleset("board-short")
    assert (board.rounds, short.rounds) == (3, 1)
    assert parse_ruleset("board-updown").direction == "either"
    assert parse_ruleset("board-short-updown").artefact_points == short.artefact_points
    assert board.space_points == (-20, -15, -10, 5, 10, 15, 30, 35, 50)
    assert sum(map(len, board.tile_places)) == 25
