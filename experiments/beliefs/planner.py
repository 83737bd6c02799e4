"""Finds what `planner` of the card game believes: which hidden cards lie in the opponent's hand.

    python experiments/beliefs/planner.py            # a minute and a half of one core

A strategy plays against itself in plain Python. Before each play, every card that the view hides is
noted: what it is to the opponent (`Planner.find_situation`), how full the draw pile is, and whether
the opponent has it. A logistic model then gives each situation its odds, against those that the
numbers of hidden cards alone would give. What it prints is the table KEPT of the strategy.
"""

import argparse
import time

import numpy as np

from lcsim.duel import lowest_bit, unseen_cards
from lcsim.rules import get_game, parse_ruleset
from lcsim.shipped import find_shipped
from lcsim.strategy import load_class, load_strategy

HERE = find_shipped("strategies") / "duel" / "planner.py"
NOTES = 5  # of a card: its situation, how full the pile is, is it in hand, cards in hand, hidden


def gather(name, find_situation, full_pile, *, games, seed):
    """Play games of a strategy against itself and return the notes, float64 (n cards, NOTES)."""
    decider = load_strategy(name, kind="duel").decider
    notes = []

    def watch(table, seat, _decider, _rng, decision):
        if decision != "choose_play":
            return
        view, them = table.view(seat), table.seats[1 - seat]
        hidden = [h & ~k for h, k in zip(them.hand, them.known, strict=True)]
        cards = [(c, i) for c in range(view.colors) for i in list_bits(unseen_cards(view, c))]
        in_hand, fullness = sum(map(int.bit_count, hidden)), view.deck_left / full_pile
        for color, index in cards:
            is_held = hidden[color] >> index & 1
            situation = find_situation(view, color, index)
            notes.append((situation, fullness, is_held, in_hand, len(cards)))

    for deal in range(games):
        get_game("duel").replay(
            parse_ruleset("duel"),
            seed=seed,
            deal=deal,
            rotation=0,
            strategies=[decider, decider],
            watch=watch,
        )
    return np.array(notes, float).reshape(-1, NOTES)


def list_bits(mask):
    """Return the places of the bits of a mask."""
    places = []
    while mask:
        places.append(lowest_bit(mask))
        mask &= mask - 1
    return places


def fit(notes, n_situations, *, prior=1.0):
    """Return the logarithms of the odds, float64 (n_situations, 2): at the end, and what is added.

    Newton's method on the likelihood, with a normal prior of precision `prior` on each number. The
    share of hidden cards that lie in the hand is what every card's odds begin from.
    """
    notes = notes[(notes[:, 3] > 0) & (notes[:, 3] < notes[:, 4])]
    situation, fullness, is_held, in_hand, hidden = notes.T
    at_end = np.eye(n_situations)[situation.astype(int)]
    inputs = np.concatenate([at_end, at_end * fullness[:, None]], axis=1)
    base, weights = np.log(in_hand / (hidden - in_hand)), np.zeros(2 * n_situations)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-(base + inputs @ weights)))
        slope = inputs.T @ (is_held - chance) - prior * weights
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs
        weights += np.linalg.solve(curve + prior * np.eye(len(weights)), slope)
    return weights.reshape(2, n_situations).T


def parse_arguments():
    """Return what was typed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strategy", default="tuned", help="who plays (tuned)")
    parser.add_argument("--games", type=int, default=1000, help="games to watch (1000)")
    parser.add_argument("--seed", type=int, default=2_600_000_000, help="of their deals")
    return parser.parse_args()


def main():
    """Watch, fit, and print the table."""
    args, begin = parse_arguments(), time.perf_counter()
    find_situation = load_class(HERE).find_situation
    full, kept = (find_situation.__globals__[name] for name in ("FULL_PILE", "KEPT"))
    notes = gather(args.strategy, find_situation, full, games=args.games, seed=args.seed)
    for number, (end, more) in enumerate(fit(notes, len(kept))):
        seen = np.count_nonzero(notes[:, 0] == number)
        print(f"    ({end:.2f}, {more:.2f}),  # {number}: {seen:,} cards")
    print(f"{len(notes):,} hidden cards in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
