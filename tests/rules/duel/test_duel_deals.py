"""Deals come out as published, in the referee and as the kernel sees them."""

import json
from pathlib import Path

import pytest

from lcsim.rules import parse_ruleset
from lcsim.rules.duel.cards import index_of, write_card
from lcsim.rules.duel.referee import deal_table

VECTORS = json.loads((Path(__file__).parents[2] / "fixtures" / "deals.json").read_text())
CASES = [(name, vector) for name in ("duel", "duel-long") for vector in VECTORS[name]]


@pytest.mark.parametrize(("preset", "vector"), CASES)
def test_the_deck_comes_in_the_published_order(preset, vector):
    table, deck = deal_table(
        parse_ruleset(preset),
        seed=vector["seed"],
        deal=vector["deal"],
        round_=vector["round"],
        points=[0, 0],
    )
    assert " ".join(map(write_card, deck)) == vector["order"]
    assert table.draw_pile == deck[16:]
    for i, card in enumerate(deck[:16]):
        assert table.seats[i % 2].hand[card >> 4] >> index_of(card) & 1


def test_rulesets_that_share_a_deck_share_its_deals():
    address = {"seed": 5, "deal": 6, "round_": 0, "points": [0, 0]}
    _, deck = deal_table(parse_ruleset("duel"), **address)
    for other in ("classic", "duel:hand_size=5,bonus_points=0", "duel:direction=either"):
        assert deal_table(parse_ruleset(other), **address)[1] == deck
    assert deal_table(parse_ruleset("duel-long"), **address)[1] != deck
