"""The shipped strategies of the card game: sturdy under any rules, balanced on top."""

from functools import cache

import pytest

from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

GAME = get_game("duel")
# Strategies that search, with so few samples that they are played quickly.
QUICK = {"planner": "planner:samples=8,rollout=ladder"}
NAMES = sorted(
    QUICK.get(entry.name, entry.name)
    for entry in find_strategies(kind="duel")
    if entry.source == "shipped"
)
STRONG = {"apprentice", "balanced", "tuned", *QUICK.values()}
OTHERS = [name for name in NAMES if name not in STRONG]

ODD_RULESETS = [
    "classic",
    "duel",
    "duel-long",
    "duel:direction=either",
    "duel-long:direction=either,wagers_per_color=1,redraw_own_discard=true",
    "duel:colors=1,hand_size=2",
    "duel:wagers_per_color=0,bonus_cards=0",
    "duel:hand_size=1",
    "duel:hand_size=29",
    "duel:lowest_rank=10,highest_rank=10,hand_size=3",
    "duel:expedition_cost=0,turn_limit=9",
    "classic:expedition_cost=200,bonus_cards=3,bonus_points=1000",
]


@cache
def load(name):
    loaded = load_strategy(name, kind="duel")
    return loaded, compile_strategy(loaded)


def play(ruleset, names, *, n_deals, seed=11):
    """Return the rows of a batch, and the games they make."""
    compiled = [load(name)[1] for name in names]
    rows = GAME.play_deals(ruleset, seed=seed, first_deal=0, n_deals=n_deals, strategies=compiled)
    return rows, GAME.settle_games(ruleset, rows)


def bound_win_rate(games):
    """Return the first strategy's win rate less 2.6 standard errors between deals: 99.5 % sure."""
    by_deal = games.win_twelfths[..., 0].mean(axis=1) / 12
    return by_deal.mean() - 2.6 * by_deal.std(ddof=1) / len(by_deal) ** 0.5


def test_the_wanted_strategies_are_shipped():
    assert set(NAMES) >= {
        *("balanced", "cautious-opener", "denier", "eager-opener"),
        *("ladder", "marathon", "random-legal", "wager-lover"),
    }


@pytest.mark.parametrize("spec", ODD_RULESETS)
def test_every_strategy_plays_under_odd_rules(spec):
    ruleset = parse_ruleset(spec)
    for i, name in enumerate(NAMES):
        rows, games = play(ruleset, (name, NAMES[i - 1]), n_deals=20)
        assert (rows["turns"] > 0).all()
        assert (games.win_twelfths.sum(axis=-1) == 12).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_and_the_kernel_see_the_same_games(name):
    ruleset = parse_ruleset("duel-long:direction=either,hand_size=6,rounds=2")
    names = (name, NAMES[NAMES.index(name) - 1])
    rows, _ = play(ruleset, names, n_deals=4)
    for deal in range(4):
        told = GAME.replay(
            ruleset,
            seed=11,
            deal=deal,
            rotation=deal % 2,
            strategies=[load(one)[0].decider for one in names],
        )
        for record, row in zip(told["rounds"], rows[deal, deal % 2], strict=True):
            scores = [record["scores"][seat] for seat in told["seats"]]
            assert scores == [row["score_0"], row["score_1"]]
            assert len(record["turns"]) == row["turns"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random-legal"])
def test_an_idea_is_far_better_than_no_idea(name):
    _, games = play(parse_ruleset("duel"), (name, "random-legal"), n_deals=400)
    assert bound_win_rate(games) > 0.95
    assert games.points[..., 0].mean() > 0


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("spec", ["duel", "classic", "duel-long"])
def test_balanced_beats_every_other(spec, other):
    _, games = play(parse_ruleset(spec), ("balanced", other), n_deals=2000)
    assert bound_win_rate(games) > 0.6


@pytest.mark.parametrize("spec", ["duel", "duel-long"])
def test_tuned_beats_balanced(spec):
    _, games = play(parse_ruleset(spec), ("tuned", "balanced"), n_deals=4000)
    assert bound_win_rate(games) > 0.63


@pytest.mark.parametrize("other", ["cautious-opener", "marathon", "balanced"])
def test_the_apprentice_has_learnt_something(other):
    _, games = play(parse_ruleset("duel"), ("apprentice", other), n_deals=300)
    assert bound_win_rate(games) > (0.5 if other == "balanced" else 0.85)


@pytest.mark.slow
def test_planner_beats_tuned():
    _, games = play(parse_ruleset("duel"), ("planner", "tuned"), n_deals=100)
    assert bound_win_rate(games) > 0.5


def test_balanced_scores_well_against_itself():
    ruleset = parse_ruleset("duel")
    rows, _ = play(ruleset, ("balanced", "balanced"), n_deals=400)
    assert rows["score_0"].mean() > 25
    assert (rows["ended_by"] == 0).mean() > 0.99  # nobody swaps discards for ever


def test_random_legal_plays_every_kind_of_move():
    ruleset = parse_ruleset("duel:rounds=1")
    turns = [
        turn
        for deal in range(6)
        for turn in GAME.replay(
            ruleset,
            seed=5,
            deal=deal,
            rotation=0,
            strategies=[load("random-legal")[0].decider] * 2,
        )["rounds"][0]["turns"]
    ]
    share_laid = sum("lay" in turn for turn in turns) / len(turns)
    share_deck = sum(turn["draw"] == "deck" for turn in turns) / len(turns)
    assert 0.1 < share_laid < 0.5
    assert 0.15 < share_deck < 0.6
    assert {turn["draw"] for turn in turns} == {"deck", *"RGWBY"}
