"""Forks: every wager laid is found, and the other game is the one with that wager forbidden."""

import numpy as np
import pytest
from duel_playing import GAME, load

from lcsim.errors import UsageError
from lcsim.rules import parse_ruleset
from lcsim.rules.duel.cards import COLORS

SEED = 31


def replay(ruleset, specs, deal, rotation):
    deciders = [load(spec)[0].decider for spec in specs]
    return GAME.replay(ruleset, seed=SEED, deal=deal, rotation=rotation, strategies=deciders)


def list_wagers(ruleset, record):
    """Return every wager laid, by a slow look at the replay: what a fork's row must say."""
    found = []
    for told in record["rounds"]:
        deck = told["deck"].split()
        dealt = deck[: 2 * ruleset.hand_size]
        hands, rows = [dealt[0::2], dealt[1::2]], [{}, {}]
        deck_left = len(deck) - len(dealt)
        for number, turn in enumerate(told["turns"]):
            seat = turn["seat"]
            card = turn.get("lay", turn.get("discard"))
            same = [other for other in hands[seat] if other[0] == card[0]]
            if turn.get("lay", "")[1:] == "w":
                found.append(
                    {
                        "strategy": record["seats"].index(seat),
                        "round": told["round"],
                        "turn": number,
                        "color": COLORS.index(card[0]),
                        "wager": len(rows[seat].get(card[0], [])) + 1,
                        "cards": len(same),
                        "opened": len(rows[seat]),
                        "held": sum(int(c[1:]) for c in same if c[1:] != "w"),
                        "deck_left": deck_left,
                    }
                )
            if "lay" in turn:
                rows[seat].setdefault(card[0], []).append(card)
            hands[seat].remove(card)
            hands[seat].append(turn["drawn"])
            deck_left -= turn["draw"] == "deck"
    return found


@pytest.mark.parametrize("specs", [("wager-lover", "balanced"), ("eager-opener", "random-legal")])
@pytest.mark.parametrize("preset", ["duel", "duel-long:rounds=2"])
def test_every_wager_is_forked_as_the_referee_would(specs, preset):
    ruleset = parse_ruleset(preset)
    strategies = [load(spec)[1] for spec in specs]
    rows = GAME.play_forks(ruleset, seed=SEED, first_deal=7, n_deals=3, strategies=strategies)
    assert rows.dtype == GAME.fork_dtype
    at = 0
    for deal in range(7, 10):
        for rotation in range(2):
            record = replay(ruleset, specs, deal, rotation)
            for wager in list_wagers(ruleset, record):
                row = rows[at]
                at += 1
                assert (row["deal"], row["rotation"]) == (deal, rotation)
                assert {name: int(row[name]) for name in wager} == wager
                item = f"@no-lay={COLORS[row['color']]}w:{row['round']}.{row['turn']}"
                forked = list(specs)
                forked[row["strategy"]] += item
                other = replay(ruleset, forked, deal, rotation)
                for number, seat in enumerate(record["seats"]):
                    assert row[f"score_{number}"] == record["totals"][seat]
                    assert row[f"other_{number}"] == other["totals"][seat]
    assert at == rows.size > 20


def test_a_range_of_deals_gives_the_rows_of_its_parts():
    ruleset = parse_ruleset("duel")
    both = [load("wager-lover")[1], load("balanced@max-expeditions=3")[1]]
    whole = GAME.play_forks(ruleset, seed=SEED, first_deal=0, n_deals=8, strategies=both)
    parts = [
        GAME.play_forks(ruleset, seed=SEED, first_deal=first, n_deals=n, strategies=both)
        for first, n in ((0, 3), (3, 5))
    ]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_who_lays_no_wager_has_no_fork():
    ruleset = parse_ruleset("duel")
    both = [load("balanced@no-wagers")[1]] * 2
    rows = GAME.play_forks(ruleset, seed=SEED, first_deal=0, n_deals=5, strategies=both)
    assert rows.size == 0


def test_a_strategy_restricted_at_one_turn_cannot_be_forked():
    both = [load("balanced@no-wagers:0.1")[1], load("balanced")[1]]
    with pytest.raises(UsageError, match="one turn"):
        GAME.play_forks(parse_ruleset("duel"), seed=SEED, first_deal=0, n_deals=1, strategies=both)
