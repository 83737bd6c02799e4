"""Plays deals of the duel through referee and kernel, and compares all there is."""

from functools import cache

import numpy as np

from lcsim.rules import get_game
from lcsim.rules.duel.cards import parse_card, write_card
from lcsim.rules.duel.kernel import TURN_DTYPE
from lcsim.rules.duel.legal import DISCARD
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

GAME = get_game("duel")
# Strategies that search, with so few samples that they are played quickly.
QUICK = {"planner": "planner:samples=8,rollout=ladder"}
NAMES = sorted(
    QUICK.get(entry.name, entry.name)
    for entry in find_strategies(kind="duel")
    if entry.source == "shipped"
)


@cache
def load(name):
    """Return a strategy for the referee, and compiled."""
    loaded = load_strategy(name, kind="duel")
    return loaded, compile_strategy(loaded)


def tell_turn(turn):
    """Return a traced turn as the referee's record has it, without the seat."""
    card = write_card(int(turn["play"]) & ~DISCARD)
    pile = "deck" if turn["draw"] < 0 else "RGWBYP"[turn["draw"]]
    return {
        "discard" if turn["play"] & DISCARD else "lay": card,
        "draw": pile,
        "drawn": write_card(int(turn["drawn"])),
    }


def mask_of(cards):
    """Return the mask of an expedition's text, wagers from the lowest bit."""
    mask = 0
    for word in cards.split():
        index = parse_card(word) & 15
        while mask >> index & 1:
            index += 1
        mask |= 1 << index
    return mask


def count_as_laid(mask):
    """Return the mask with its wagers moved to the lowest bits: equal wagers are equal."""
    wagers = (mask & 7).bit_count()
    return (mask & ~7) | ((1 << wagers) - 1)


def follow_openings(ruleset, told, seat):
    """Return the turn at which each expedition was opened, and the ranks then in hand, by color."""
    hand = told["deck"].split()[: 2 * ruleset.hand_size][seat::2]
    opened, held = {}, {}
    for number, turn in enumerate(told["turns"], 1):
        if turn["seat"] != seat:
            continue
        card = turn.get("lay", turn.get("discard"))
        color = card[0]
        if "lay" in turn and color not in opened:
            opened[color] = number
            ranks = [other[1:] for other in hand if other[0] == color and other[1:] != "w"]
            held[color] = sum(map(int, ranks))
        hand.remove(card)
        hand.append(turn["drawn"])
    return opened, held


def assert_same_games(ruleset, names, *, seed, first_deal, n_deals):
    """Play deals through both and compare all there is; return the number of games."""
    loaded, compiled = zip(*(load(name) for name in names), strict=True)
    games = 0
    for deal in range(first_deal, first_deal + n_deals):
        trace = np.zeros(2 * ruleset.rounds * ruleset.turn_limit, TURN_DTYPE)
        rows = GAME.play_deals(
            ruleset, seed=seed, first_deal=deal, n_deals=1, strategies=compiled, trace=trace
        )[0]
        at = 0
        for rotation in range(2):
            record = GAME.replay(
                ruleset,
                seed=seed,
                deal=deal,
                rotation=rotation,
                strategies=[one.decider for one in loaded],
            )
            seats = record["seats"]
            games += 1
            for told, row in zip(record["rounds"], rows[rotation], strict=True):
                for turn in told["turns"]:
                    expected = {key: value for key, value in turn.items() if key != "seat"}
                    assert tell_turn(trace[at]) == expected
                    at += 1
                assert row["turns"] == len(told["turns"])
                assert GAME.endings[row["ended_by"]] == told["ended_by"]
                assert seats[row["starter"]] == told["starter"]
                for number, seat in enumerate(seats):
                    assert row[f"score_{number}"] == told["scores"][seat]
                    opened, held = follow_openings(ruleset, told, seat)
                    for color in "RGWBYP":
                        assert row[f"opened_{number}_{color}"] == opened.get(color, 0)
                        assert row[f"held_{number}_{color}"] == held.get(color, 0)
                        laid = count_as_laid(int(row[f"exp_{number}_{color}"]))
                        assert laid == mask_of(told["expeditions"][seat].get(color, ""))
        settled = GAME.settle_games(ruleset, rows[None])
        assert settled.win_twelfths.sum() == 24
    return games
