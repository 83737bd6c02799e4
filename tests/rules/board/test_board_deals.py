"""Deals and tiles come out as published, in the referee and as the kernel sees them."""

import json
from pathlib import Path

import pytest
from playing import play_kernel, play_referee

from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import color_of, count_card, rank_of, write_card
from lcsim.rules.board.outcome import name_tile
from lcsim.rules.board.referee import deal_table, stack_round
from lcsim.rules.board.table import Seat

VECTORS = json.loads((Path(__file__).parents[2] / "fixtures" / "deals.json").read_text())["board"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"seed-{vector['seed']}")
@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_cards_and_tiles_come_in_the_published_order(vector, n_players):
    ruleset = parse_ruleset("board")
    address = {"seed": vector["seed"], "deal": vector["deal"], "round_": vector["round"]}
    stack = stack_round(ruleset, **address)
    assert " ".join(map(write_card, stack.deck)) == vector["order"]
    assert " ".join(map(name_tile, stack.tiles)) == vector["tiles"]
    table = deal_table(ruleset, stack, vector["round"], [Seat() for _ in range(n_players)])
    dealt, removed = 8 * n_players, 30 if n_players == 2 else 0
    assert table.draw_pile == stack.deck[dealt : 110 - removed]
    assert table.removed == stack.deck[110 - removed :]
    for i, card in enumerate(stack.deck[:dealt]):
        assert count_card(table.seats[i % n_players].hand[color_of(card)], rank_of(card))
    places = [(c, space) for c, path in enumerate(ruleset.tile_places) for space in path]
    assert [table.tiles[color][space] for color, space in places] == list(stack.tiles)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"seed-{vector['seed']}")
def test_the_kernel_plays_the_same_deal_laid_out_by_hand(vector):
    ruleset = parse_ruleset(f"board:rounds={vector['round'] + 1}")
    specs = ["steady", "random-legal"]
    address = {"seed": vector["seed"], "deal": vector["deal"]}
    stacks = [stack_round(ruleset, **address, round_=number) for number in range(ruleset.rounds)]
    told = play_kernel(ruleset, specs, **address)
    assert told == play_kernel(ruleset, specs, **address, stacks=stacks)
    assert play_referee(ruleset, specs, **address)["totals"] == told[0][1]["totals"]


def test_rulesets_that_share_a_deck_share_its_deals():
    address = {"seed": 5, "deal": 6, "round_": 0}
    stack = stack_round(parse_ruleset("board"), **address)
    for other in ("board-short", "board-updown", "board:hand_size=5,removed_cards=0"):
        assert stack_round(parse_ruleset(other), **address) == stack
    assert stack_round(parse_ruleset("board:copies=1"), **address).deck != stack.deck
