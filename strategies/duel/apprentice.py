"""A small network that has learnt by watching."""

import numpy as np

from lcsim.duel import (
    DRAWS,
    PLAYS,
    BatchStrategy,
    Weights,
    legal_draws,
    legal_plays,
    unpack_cards,
)

RANKS = np.array([0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10], np.float32)  # by a card's place
TIMES = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 30])  # of plays, as steps
GRID = np.float32(64)  # steps of an activation in 1
TOP = np.float32(4)  # the highest activation


class Apprentice(BatchStrategy):
    """Plays what a small neural network, taught by tuned, thinks tuned would play.

    Idea: one network looks at every color in turn, with the same weights: at its cards wherever
    they lie, and at the time that is left. Then each color hears what all of them think together,
    and rates its cards to lay or to discard and the top of its discard pile. It learnt from the
    moves of tuned, in positions that it met itself, and knows nothing of points. So it is an
    example to copy for networks of one's own, weaker than its teacher.
    Its weights and activations are multiples of small powers of two, so that every sum is exact in
    single precision and the answer does not depend on the batch nor on the machine.
    Source: original; experiments/networks/apprentice.py makes its weights.
    """

    net = Weights("apprentice.npz")

    def choose_play(self, views, rngs):
        """Return the play that the network rates highest of those that are legal."""
        ratings = rate(self.net, look(views))[..., :24]
        n, colors = ratings.shape[:2]
        by_play = np.full((n, 2, 6, 12), -np.inf, np.float32)
        by_play[:, :, :colors] = ratings.reshape(n, colors, 2, 12).transpose(0, 2, 1, 3)
        best = np.where(legal_plays(views), by_play.reshape(n, -1), -np.inf)
        return PLAYS[best.argmax(axis=1)]

    def choose_draw(self, views, rngs):
        """Return the discard pile that the network rates highest above 0, or the draw pile."""
        piles = np.full(len(views), DRAWS[0])
        some = np.flatnonzero(views["drawable"])
        if some.size:
            views = views[some]
            ratings = rate(self.net, look(views))[..., 24]
            by_draw = np.zeros((len(views), len(DRAWS)), np.float32)
            by_draw[:, 1 : 1 + ratings.shape[1]] = ratings
            best = np.where(legal_draws(views), by_draw, -np.inf)
            piles[some] = DRAWS[best.argmax(axis=1)]
        return piles


def look(views):
    """Return what the network is shown of n views, float32 (n, colors, features)."""
    colors = views["colors"][0]
    part = {name: views[name][:, :colors] for name in COLOR_FIELDS}
    hand, playable = part["hand"], part["playable"]
    seen = hand | part["mine"] | part["theirs"] | part["discarded"] | part["known_theirs"]
    unseen = views["color_mask"][:, None] & ~seen
    top = np.where(part["discard_top"] >= 0, 1 << (part["discard_top"] & 15), 0)
    masks = [part[name] for name in COLOR_FIELDS[:-1]]
    masks += [hand & playable, unseen, unseen & playable, top]
    cards = unpack_cards(np.stack(masks, axis=2)).astype(np.float32)
    points = cards @ RANKS / np.float32(32)
    counts = cards.sum(axis=3) / np.float32(8)
    plays = (views["deck_left"] + 1) // 2
    waiting = np.where(part["mine"] > 0, counts[:, :, HAND_PLAYABLE], 0).sum(axis=1) * 8
    opened = (part["mine"] > 0).sum(axis=1)
    junk = (counts[:, :, 0] - counts[:, :, HAND_PLAYABLE]).sum(axis=1) * 8
    numbers = np.stack([opened, junk, waiting], axis=1) / 8
    table = [plays[:, None] <= TIMES, (plays - waiting)[:, None] <= TIMES - 3, numbers]
    shared = np.concatenate(table, axis=1).astype(np.float32)
    open_piles = views["drawable"][:, None] >> np.arange(colors) & 1
    flags = [part["mine"] > 0, part["theirs"] > 0, open_piles]
    n = len(views)
    return np.concatenate(
        [
            cards.reshape(n, colors, -1),
            points,
            counts,
            np.stack(flags, axis=2).astype(np.float32),
            np.broadcast_to(shared[:, None], (n, colors, shared.shape[1])),
        ],
        axis=2,
    )


COLOR_FIELDS = (
    *("hand", "mine", "theirs", "playable", "their_playable", "discarded", "known_theirs"),
    "discard_top",
)
HAND_PLAYABLE = 7  # among the masks: what follows those fields


def rate(net, shown):
    """Return the network's ratings by color, float32 (n, colors, 25): lays, discards, the pile."""
    n, colors, features = shown.shape
    first = step(shown.reshape(n * colors, features) @ net["see"] + net["see_bias"])
    width = first.shape[1]
    together = step(first.reshape(n, colors, width).sum(axis=1) / GRID * 8)
    heard = np.repeat(together @ net["hear"], colors, axis=0)
    second = step(first @ net["think"] + heard + net["think_bias"])
    return (second @ net["say"] + net["say_bias"]).reshape(n, colors, -1)


def step(sums):
    """Return the activations of sums: nothing below 0 nor above TOP, in steps of 1 / GRID."""
    return np.floor(np.clip(sums, 0, TOP) * GRID) / GRID
