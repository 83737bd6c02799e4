"""The shipped strategies of the board game: sturdy under any rules, balanced on top."""

from functools import cache

import pytest

from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

GAME = get_game("board")
# Strategies that search, with so few samples that they are played quickly.
QUICK = {"planner": "planner:samples=8,rollout=steady"}
NAMES = sorted(
    QUICK.get(entry.name, entry.name)
    for entry in find_strategies(kind="board")
    if entry.source == "shipped"
)
OTHERS = [name for name in NAMES if name not in {"balanced", "tuned", *QUICK.values()}]
PRESETS = sorted(GAME.presets)

ODD_RULESETS = [
    "board:colors=1,hand_size=2,removed_cards=0,tile_places=2/3,artefact_tiles=1,step_tiles=1,"
    "vp_tiles=none",
    "board:hand_size=1,opening=any",
    "board-updown:hand_size=12,opening=any,redraw_own_discard=true",
    "board-short:explorers=0",
    "board-updown:explorers=1,leader_factor=0",
    "board:copies=1,removed_cards=0",
    "board:lowest_rank=10,hand_size=3,removed_cards=0/0/0,copies=2",
    "board:crossings_to_end=1,bridge_after=1",
    "board:bridge_after=9,turn_limit=9",
    "board-short:space_points=-50/50,bridge_after=1,artefact_tiles=0,step_tiles=5,vp_tiles=none,"
    "tile_places=2|2|2|2|2",
    "board:space_points=-40/-20/-9/-8/-7/-6/-5/-4/-3/-2/-1/90,bridge_after=12",
    "board-short-updown:step_tiles=25,artefact_tiles=0,vp_tiles=none,crossings_to_end=20",
    "board:artefact_points=-1000/1000",
]


@cache
def load(name):
    loaded = load_strategy(name, kind="board")
    return loaded, compile_strategy(loaded)


def play(spec, names, *, n_deals, seed=11):
    """Return the rows of a batch, and the games they make."""
    ruleset, compiled = parse_ruleset(spec), [load(name)[1] for name in names]
    rows = GAME.play_deals(ruleset, seed=seed, first_deal=0, n_deals=n_deals, strategies=compiled)
    return rows, GAME.settle_games(ruleset, rows)


def bound_win_share(games):
    """Return the first strategy's win share less 2.6 standard errors between deals: 99.5 % sure."""
    by_deal = games.win_twelfths[..., 0].mean(axis=1) / 12
    return by_deal.mean() - 2.6 * by_deal.std(ddof=1) / len(by_deal) ** 0.5


def pick_table(first, n_players):
    """Return the names of a table: the one at `first`, and those that follow in the list."""
    return [NAMES[(first + i) % len(NAMES)] for i in range(n_players)]


def replay(spec, names, *, deal, rotation=0, seed=11):
    """Return a game as the referee tells it."""
    deciders = [load(name)[0].decider for name in names]
    return GAME.replay(
        parse_ruleset(spec), seed=seed, deal=deal, rotation=rotation, strategies=deciders
    )


def test_the_wanted_strategies_are_shipped():
    assert set(NAMES) >= {
        *("all-paths", "balanced", "collector", "leader-first"),
        *("racer", "random-legal", "steady", "tile-hunter", "tuned"),
    }


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("spec", PRESETS + ODD_RULESETS)
def test_every_strategy_plays_under_any_rules(spec, n_players):
    ruleset = parse_ruleset(spec)
    if ruleset.removed(n_players) + n_players * ruleset.hand_size >= ruleset.deck_size:
        pytest.skip("too few cards for so many players")
    for first in range(0, len(NAMES), n_players):
        rows, games = play(spec, pick_table(first, n_players), n_deals=8)
        assert (rows["turns"] > 0).all()
        assert (games.win_twelfths.sum(axis=-1) == 12).all()


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("name", NAMES)
def test_the_referee_and_the_kernel_see_the_same_games(name, n_players):
    names = pick_table(NAMES.index(name), n_players)
    spec = ["board-updown:rounds=1", "board-short:opening=any", "board"][n_players - 2]
    rows, games = play(spec, names, n_deals=2)
    for deal in range(2):
        told = replay(spec, names, deal=deal, rotation=deal)
        totals = [told["totals"][seat] for seat in told["seats"]]
        assert totals == list(games.points[deal, deal])
        turns = [len(one["turns"]) for one in told["rounds"]]
        assert turns == list(rows["turns"][deal, deal])


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random-legal"])
def test_an_idea_is_far_better_than_no_idea(name):
    _, games = play("board", (name, "random-legal"), n_deals=50 if name in QUICK.values() else 200)
    assert bound_win_share(games) > 0.95
    assert games.points[..., 0].mean() > 150


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("spec", PRESETS)
def test_balanced_beats_every_other(spec, other):
    _, games = play(spec, ("balanced", other), n_deals=400)
    assert bound_win_share(games) > 0.6


@pytest.mark.parametrize("spec", ["board", "board-updown"])
def test_tuned_beats_balanced(spec):
    _, games = play(spec, ("tuned", "balanced"), n_deals=800)
    assert bound_win_share(games) > 0.65


@pytest.mark.parametrize("spec", ["board-short", "board-short-updown"])
def test_tuned_beats_balanced_in_the_short_game(spec):
    _, games = play(spec, ("tuned", "balanced"), n_deals=1500)
    assert bound_win_share(games) > 0.52


@pytest.mark.parametrize("n_players", [3, 4])
def test_tuned_takes_more_than_its_share_from_balanced(n_players):
    _, games = play("board", ("tuned", *["balanced"] * (n_players - 1)), n_deals=800)
    assert bound_win_share(games) > 1 / n_players + 0.05


@pytest.mark.slow
def test_planner_beats_tuned():
    _, games = play("board", ("planner:samples=400", "tuned"), n_deals=60)
    assert bound_win_share(games) > 0.5


@pytest.mark.parametrize("others", [OTHERS[i : i + 2] for i in range(len(OTHERS) - 1)])
def test_balanced_takes_more_than_its_share_of_three(others):
    _, games = play("board", ("balanced", *others), n_deals=150)
    assert bound_win_share(games) > 1 / 3 + 0.1


@pytest.mark.parametrize("others", [OTHERS[i : i + 3] for i in range(len(OTHERS) - 2)])
def test_balanced_takes_more_than_its_share_of_four(others):
    _, games = play("board", ("balanced", *others), n_deals=150)
    assert bound_win_share(games) > 1 / 4 + 0.1


def test_balanced_scores_well_against_itself():
    rows, games = play("board", ("balanced", "balanced"), n_deals=200)
    assert games.points[..., 0].mean() > 450
    assert (rows["ended_by"] < GAME.endings.index("turn_limit")).all()


def test_balanced_uses_both_directions():
    told = [replay("board-updown", ("balanced", "balanced"), deal=deal) for deal in range(5)]
    openings = [
        int(turn["lay"][1:])
        for game in told
        for one in game["rounds"]
        for turn in one["turns"]
        if "pawn" in turn
    ]
    assert sum(rank >= 6 for rank in openings) > 0.25 * len(openings)
    assert sum(rank <= 4 for rank in openings) > 0.25 * len(openings)


def test_random_legal_plays_every_kind_of_move():
    told = [replay("board-short", ("random-legal",) * 2, deal=deal, seed=5) for deal in range(12)]
    turns = [turn for game in told for turn in game["rounds"][0]["turns"]]
    pawns = [turn["pawn"] for turn in turns if "pawn" in turn]
    share_deck = sum(turn.get("draw") == "deck" for turn in turns) / len(turns)
    assert 0.08 < sum("lay" in turn for turn in turns) / len(turns) < 0.6
    assert 0.15 < share_deck < 0.8
    assert {turn["draw"] for turn in turns if "draw" in turn} == {"deck", *"RGWBY"}
    assert 0.1 < pawns.count("leader") / len(pawns) < 0.5
    assert any(len(turn["moves"]) > 1 for turn in turns if "lay" in turn)
