"""Makes the weights of `apprentice`: a network that learns from the moves of `tuned`.

    python experiments/networks/apprentice.py            # about five minutes of one core

The network plays against itself, in games that nobody else deals; `tuned` says what it would play
in each position; the network is trained, by plain gradient descent in NumPy, to give those moves
the highest rating, and plays again. What it has learnt is rounded to steps of 1/128, so that its
sums are exact, and written beside the strategy. On one machine a seed always gives the same.
"""

import argparse
import sys
import time
from pathlib import Path

import numba
import numpy as np

from lcsim.duel import DISCARD, legal_draws, legal_plays
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.duel.view import VIEW_DTYPE
from lcsim.rules.game import PARAMS_DTYPE
from lcsim.rules.streams import RNG_DTYPE
from lcsim.shipped import find_shipped
from lcsim.strategy import compile_strategy, load_class, load_strategy

HERE = find_shipped("strategies") / "duel" / "apprentice.py"
STEPS = 128  # of a weight in 1
EXACT = 2**24 / (STEPS * 64)  # sums below this are exact in single precision
WIDTH = 96
GAME = get_game("duel")


class Teacher:
    """Plays for the network in one of its games, and keeps what the teacher would have played."""

    def __init__(self, network, teacher, share, rng):
        self.network, self.share, self.rng = network, share, rng
        self.compiled = compile_strategy(load_strategy(teacher, kind="duel"))
        self.params = np.zeros(1, PARAMS_DTYPE)
        self.params["value"][0] = self.compiled.params
        self.kept = {"choose_play": [], "choose_draw": []}

    def choose_play(self, views, rngs):
        """Return the network's plays; the teacher's at first."""
        return self.decide("choose_play", views, rngs, 0)

    def choose_draw(self, views, rngs):
        """Return the network's draws; the teacher's at first."""
        return self.decide("choose_draw", views, rngs, 1)

    def decide(self, decision, views, rngs, number):
        """Keep some of the views with the teacher's moves; return the moves to play."""
        seen = np.zeros(len(views), VIEW_DTYPE)
        for name in views.dtype.names:
            column = views[name]
            if column.ndim == 2:
                seen[name][:, : column.shape[1]] = column
            else:
                seen[name] = column
        moves = np.zeros(len(views), np.int64)
        ask_all(self.compiled.hooks[number], seen, np.zeros(1, RNG_DTYPE), self.params, moves)
        chosen = self.rng.random(len(views)) < self.share
        if number:  # a draw from the draw pile alone teaches nothing
            chosen &= views["drawable"] > 0
        self.kept[decision].append((views[chosen], moves[chosen]))
        return moves if self.network is None else getattr(self.network, decision)(views, rngs)


@numba.njit
def ask_all(hook, views, rng, params, moves):
    """Ask a compiled strategy about every view."""
    for i in range(len(views)):
        moves[i] = hook(views[i], rng[0], params[0])


class Player:
    """What the engine wants to know of a strategy, for one that is only an object."""

    uses_rng = True
    guests = ()

    def __init__(self, batch, like):
        self.batch, self.hooks, self.params, self.decider = (
            batch,
            like.hooks,
            like.params,
            like.decider,
        )


def gather(network, args, first_deal, n_deals, rng):
    """Play deals and return views and the teacher's moves, of plays and of draws."""
    teacher = Teacher(network, args.teacher, args.share, rng)
    player = Player(teacher, compile_strategy(load_strategy("ladder-numpy", kind="duel")))
    for ruleset, part in (("duel", 3), ("duel-long", 1)):
        GAME.play_deals(
            parse_ruleset(ruleset),
            seed=args.seed,
            first_deal=first_deal,
            n_deals=n_deals * part // 4,
            strategies=[player, player],
        )
    kept = {}
    for decision, pieces in teacher.kept.items():
        for colors in (5, 6):  # a batch has one number of colors
            own = [(v[v["colors"] == colors], m[v["colors"] == colors]) for v, m in pieces]
            kept[decision, colors] = tuple(
                np.concatenate(column) for column in zip(*own, strict=True)
            )
    return kept


def start_weights(features, rng):
    """Return random weights to begin with."""
    sizes = {
        "see": (features, WIDTH),
        "hear": (WIDTH, WIDTH),
        "think": (WIDTH, WIDTH),
        "say": (WIDTH, 25),
    }
    net = {k: rng.normal(0, (1 / s[0]) ** 0.5, s).astype(np.float32) for k, s in sizes.items()}
    net["see"] *= 2
    for name in ("see", "think", "say"):
        net[f"{name}_bias"] = np.zeros(sizes[name][1], np.float32)
    return net


def measure(net, shown, target, legal, plays):
    """Return how often the teacher's move is found in a batch, and the gradients of the loss.

    `target` numbers the moves in `legal`, (n, 24 * colors) for plays, (n, 1 + colors) for draws.
    """
    n, colors, features = shown.shape
    x = shown.reshape(n * colors, features)
    a = x @ net["see"] + net["see_bias"]
    h = np.clip(a, 0, 4)
    s = h.reshape(n, colors, -1).sum(axis=1) / 8
    t = np.clip(s, 0, 4)
    b = h @ net["think"] + np.repeat(t @ net["hear"], colors, axis=0) + net["think_bias"]
    k = np.clip(b, 0, 4)
    out = (k @ net["say"] + net["say_bias"]).reshape(n, colors, 25)
    if plays:
        logits = out[:, :, :24].reshape(n, colors, 2, 12).transpose(0, 2, 1, 3).reshape(n, -1)
    else:
        logits = np.concatenate([np.zeros((n, 1), np.float32), out[:, :, 24]], axis=1)
    logits = np.where(legal, logits, -1e9)
    logits = logits - logits.max(axis=1, keepdims=True)
    share = np.exp(logits)
    share /= share.sum(axis=1, keepdims=True)
    rows = np.arange(n)
    hit = (share.argmax(axis=1) == target).mean()
    share[rows, target] -= 1
    share /= n
    d_out = np.zeros((n, colors, 25), np.float32)
    if plays:
        d_out[:, :, :24] = (
            share.reshape(n, 2, colors, 12).transpose(0, 2, 1, 3).reshape(n, colors, 24)
        )
    else:
        d_out[:, :, 24] = share[:, 1:]
    d_out = d_out.reshape(n * colors, 25)
    grads = {"say": k.T @ d_out, "say_bias": d_out.sum(axis=0)}
    d_b = (d_out @ net["say"].T) * ((b > 0) & (b < 4))
    d_heard = d_b.reshape(n, colors, -1).sum(axis=1)
    grads["think"], grads["think_bias"] = h.T @ d_b, d_b.sum(axis=0)
    grads["hear"] = t.T @ d_heard
    d_s = (d_heard @ net["hear"].T) * ((s > 0) & (s < 4)) / 8
    d_a = (d_b @ net["think"].T + np.repeat(d_s, colors, axis=0)) * ((a > 0) & (a < 4))
    grads["see"], grads["see_bias"] = x.T @ d_a, d_a.sum(axis=0)
    return hit, grads


def number_moves(decision, moves, colors):
    """Return the place of each move among a batch's legal moves."""
    if decision == "choose_draw":
        return moves + 1
    card = moves & (DISCARD - 1)
    return (moves >= DISCARD) * 12 * colors + 12 * (card >> 4) + (card & 15)


def list_legal(decision, views, colors):
    """Return the legal moves of views, bool (n, moves of so many colors)."""
    if decision == "choose_draw":
        return legal_draws(views)[:, : 1 + colors]
    legal = legal_plays(views).reshape(len(views), 2, 6, 12)[:, :, :colors]
    return legal.reshape(len(views), -1)


def train(net, pools, *, look, n_batch, rng, n_steps, rates):
    """Go down the gradient by Adam; `rates` are the first and the last learning rate."""
    first = {k: np.zeros_like(v) for k, v in net.items()}
    second = {k: np.zeros_like(v) for k, v in net.items()}
    keys = [key for key in pools if len(pools[key][0])]
    sizes = np.array([len(pools[key][0]) for key in keys], float)
    seen = {}
    for i in range(n_steps):
        key = keys[rng.choice(len(keys), p=sizes / sizes.sum())]
        decision, colors = key
        views, moves = pools[key]
        rows = rng.integers(len(views), size=n_batch)
        batch = views[rows]
        target = number_moves(decision, moves[rows], colors)
        legal = list_legal(decision, batch, colors)
        hit, grads = measure(net, look(batch), target, legal, decision == "choose_play")
        rate = rates[0] * (rates[1] / rates[0]) ** (i / n_steps)
        for name, gradient in grads.items():
            first[name] += 0.1 * (gradient - first[name])
            second[name] += 0.002 * (gradient**2 - second[name])
            scale = (1 - 0.9 ** (i + 1)) / (1 - 0.998 ** (i + 1)) ** 0.5
            net[name] -= (rate / scale * first[name] / (second[name] ** 0.5 + 1e-8)).astype(
                np.float32
            )
        seen[decision] = 0.99 * seen.get(decision, hit) + 0.01 * hit
    return seen


def round_weights(net):
    """Return the weights in steps of 1 / STEPS; raises ValueError where a sum may not be exact."""
    rounded = {k: (np.round(v * STEPS) / STEPS).astype(np.float32) for k, v in net.items()}
    for name in ("see", "think", "say"):
        most = 4 * np.abs(rounded[name]).sum(axis=0) + np.abs(rounded[f"{name}_bias"])
        if name == "think":
            most += 4 * np.abs(rounded["hear"]).sum(axis=0)
        if most.max() >= EXACT:
            raise ValueError(f"{name}: sums may reach {most.max():.0f}, exact below {EXACT:.0f}")
    return rounded


def main():
    """Teach a network, and write its weights beside the strategy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--teacher", default="tuned", help="the strategy to learn from")
    parser.add_argument("--seed", type=int, default=20260, help="of deals and of chance")
    parser.add_argument("--rounds", type=int, default=6, help="times that it plays and learns")
    parser.add_argument("--deals", type=int, default=400, help="deals it plays each time")
    parser.add_argument("--steps", type=int, default=2500, help="steps of descent each time")
    parser.add_argument("--batch", type=int, default=512, help="positions a step")
    parser.add_argument("--share", type=float, default=0.5, help="share of positions kept")
    parser.add_argument("--out", type=Path, default=HERE.with_suffix(".npz"))
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    cls = None
    pools, net, network = {}, None, None
    begin = time.process_time()
    for number in range(args.rounds):
        fresh = gather(network, args, number * args.deals, args.deals, rng)
        for key, pair in fresh.items():
            old = pools.get(key)
            pools[key] = (
                pair if old is None else tuple(map(np.concatenate, zip(old, pair, strict=True)))
            )
        if cls is None:
            if not args.out.exists():
                np.savez(args.out, empty=np.zeros(1))
            cls = load_class(HERE)
            look = sys.modules[cls.__module__].look
            net = start_weights(look(pools["choose_play", 5][0][:1]).shape[2], rng)
        is_last = number == args.rounds - 1
        steps = args.steps * (3 if is_last else 1)
        hits = train(
            net,
            pools,
            look=look,
            n_batch=args.batch,
            rng=rng,
            n_steps=steps,
            rates=(0.002, 0.0001 if is_last else 0.001),
        )
        network = cls()
        object.__setattr__(network, "net", round_weights(net))
        n = sum(len(views) for views, _ in pools.values())
        print(
            f"round {number + 1}: {n:,} positions; the teacher's move is found in "
            f"{100 * hits['choose_play']:.1f} % of plays and "
            f"{100 * hits['choose_draw']:.1f} % of draws; {time.process_time() - begin:.0f} s",
            flush=True,
        )
    np.savez_compressed(args.out, **round_weights(net))
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
