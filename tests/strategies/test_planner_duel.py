"""What planner of the card game believes about hidden cards, and where its numbers come from."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.duel.cards import parse_card
from lcsim.rules.duel.legal import accepts_after
from lcsim.rules.duel.ruleset import build_color_mask
from lcsim.strategy import load_strategy

ROOT = Path(__file__).parents[2]
MASK = build_color_mask(parse_ruleset("duel"))
PLANNER = load_strategy("planner", kind="duel").cls


def see(*, mine="", theirs=""):
    """Return of a view what the belief about a red card looks at: rows as they were laid."""
    laid, accepts = [0, 0], [MASK, MASK]
    for seat, row in enumerate((mine, theirs)):
        for place, card in enumerate(map(parse_card, row.split())):
            index = place if card & 15 < 3 else card & 15  # wagers are 0, 1, 2
            accepts[seat] = accepts_after(laid[seat], index, MASK, 0)
            laid[seat] |= 1 << index
    return SimpleNamespace(
        mine=[laid[0]], theirs=[laid[1]], playable=[accepts[0]], their_playable=[accepts[1]]
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "card", "says"),
    [
        ("", "R5", "R4", "neither they nor I"),
        ("R7", "R5", "R4", "neither they nor I"),
        ("R3", "R5", "R4", "they cannot, but I could"),
        ("", "R5", "Rw", "neither they nor I"),
        ("", "Rw", "Rw", "on wagers of theirs"),
        ("", "", "Rw", "a color that nobody has opened"),
        ("R5", "", "Rw", "of one that I have"),
        ("", "R5", "R6", "the next to their last"),
        ("", "Rw Rw", "R2", "the next to their last"),
        ("", "R5", "R7", "the second"),
        ("", "R2 R5", "R8", "the third"),
        ("", "R5", "R9", "further up"),
        ("", "Rw", "R10", "further up"),
        ("R7", "", "R4", "where I cannot lay it"),
        ("R3", "", "R4", "where I could"),
        ("", "", "R2", "from 2 to 4"),
        ("", "", "R4", "from 2 to 4"),
        ("", "", "R5", "from 5 to 7"),
        ("", "", "R10", "from 8 to 10"),
    ],
)
def test_every_hidden_card_has_the_row_that_tells_of_it(mine, theirs, card, says):
    index = theirs.count("w") if card == "Rw" else parse_card(card) & 15
    situation = PLANNER.find_situation(see(mine=mine, theirs=theirs), 0, index)
    source = load_strategy("planner", kind="duel").path.read_text(encoding="utf-8")
    rows = source.split("KEPT = (\n")[1].split("\n)\n")[0].splitlines()
    assert len(rows) == 14
    assert says in rows[situation]


@pytest.mark.parametrize("belief", [0, 1, 2])
def test_belief_is_how_far_the_odds_are_trusted(belief):
    told = {}

    def watch(table, seat, _decider, _rng, decision):
        if decision == "choose_play" and table.turn == 30:
            for trust in (1, belief):
                odds = np.ones((1, 96))
                planner = load_strategy(f"planner:belief={trust}", kind="duel").instance
                planner.weigh_cards(table.view(seat), {"odds": odds})
                told[trust] = odds[0]

    ladder = load_strategy("ladder", kind="duel").decider
    get_game("duel").replay(
        parse_ruleset("duel:rounds=1"),
        seed=3,
        deal=0,
        rotation=0,
        strategies=[ladder, ladder],
        watch=watch,
    )
    assert len(set(told[1])) > 4
    assert told[belief] == pytest.approx(told[1] ** belief)


@pytest.fixture(scope="module")
def script():
    """The experiment that finds the numbers, as a module."""
    spec = importlib.util.spec_from_file_location(
        "beliefs", ROOT / "experiments" / "beliefs" / "planner.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_fit_finds_the_odds_that_cards_were_dealt_by(script):
    luck = np.random.default_rng(2)
    true = np.array([[-0.5, -2.0], [0.0, 0.5], [1.2, -0.6]])
    n, hidden, in_hand = 60_000, 40, 8
    situation, fullness = luck.integers(0, 3, n), luck.random(n)
    score = np.log(in_hand / (hidden - in_hand)) + true[situation, 0]
    score += true[situation, 1] * fullness
    is_held = luck.random(n) < 1 / (1 + np.exp(-score))
    notes = np.stack(
        [situation, fullness, is_held, np.full(n, in_hand), np.full(n, hidden)], axis=1
    )
    assert script.fit(notes.astype(float), 3) == pytest.approx(true, abs=0.25)


def test_what_is_noted_agrees_with_the_game(script):
    notes = script.gather("ladder", lambda *_: 0, 44, games=2, seed=5)
    fullness, is_held = notes[:, 1], notes[:, 2]
    assert 0 <= fullness.min() < fullness.max() <= 1
    assert set(is_held) == {0.0, 1.0}
    # At the first play of a round nothing of the opponent's is known: 8 in hand, 44 in the pile.
    first = notes[:52]
    assert first[:, 2].sum() == 8
    assert set(first[:, 3]) == {8.0}
    assert set(first[:, 4]) == {52.0}
    assert len(notes) > 1000
