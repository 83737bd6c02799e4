"""Board games for tests: the same game through referee and kernel, told alike."""

from functools import cache

import numpy as np

from lcsim.rules import get_game
from lcsim.rules.board.cards import COLORS, write_card
from lcsim.rules.board.kernel import NO_DRAW, TURN_DTYPE
from lcsim.rules.board.legal import DISCARD, LEADER
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

GAME = get_game("board")
# Strategies that search, with so few samples that they are played quickly.
QUICK = {"planner": "planner:samples=8,rollout=steady"}
NAMES = sorted(
    QUICK.get(entry.name, entry.name)
    for entry in find_strategies(kind="board")
    if entry.source == "shipped"
)


@cache
def load(spec):
    """Return a strategy, loaded and compiled."""
    loaded = load_strategy(spec, kind="board")
    return loaded, compile_strategy(loaded)


def play_referee(ruleset, specs, *, seed=1, deal=0, rotation=0, stacks=()):
    """Return a game's record as the referee plays it."""
    deciders = [load(spec)[0].decider for spec in specs]
    return GAME.replay(
        ruleset, seed=seed, deal=deal, rotation=rotation, strategies=deciders, stacks=stacks
    )


def play_kernel(ruleset, specs, *, seed=1, deal=0, stacks=(), n_rotations=None):
    """Return what the kernel tells of a deal in each rotation, as the referee's records have it.

    Each is a pair: the rounds' records without deck and tiles, and the end of the game's.
    """
    n, compiled = len(specs), [load(spec)[1] for spec in specs]
    trace = np.zeros(n * ruleset.rounds * ruleset.turn_limit, TURN_DTYPE)
    rows = GAME.play_deals(
        ruleset,
        seed=seed,
        first_deal=deal,
        n_deals=1,
        strategies=compiled,
        n_rotations=n_rotations,
        trace=trace,
        stacks=stacks,
    )
    points = GAME.settle_games(ruleset, rows).points[0]
    wins = GAME.settle_games(ruleset, rows).win_twelfths[0]
    assert (wins.sum(axis=1) == 12).all()
    told, at = [], 0
    for rotation in range(rows.shape[1]):
        by_seat = [(seat - rotation) % n for seat in range(n)]
        rounds = []
        for row in rows[0, rotation]:
            turns = trace[at : at + row["turns"]]
            at += row["turns"]
            rounds.append(tell_round(row, turns, by_seat))
        end = {
            "artefacts": [
                sum(int(row[f"artefacts_{i}"]) for row in rows[0, rotation]) for i in by_seat
            ],
            "artefact_points": [
                int(rows[0, rotation, -1][f"artefact_points_{i}"]) for i in by_seat
            ],
            "totals": [int(points[rotation, i]) for i in by_seat],
            "winners": [seat for seat, i in enumerate(by_seat) if wins[rotation, i]],
        }
        told.append((rounds, end))
    return told


def tell_round(row, turns, by_seat):
    """Return the record of a round from its row and its traced turns."""
    starter = by_seat.index(row["starter"])
    n = len(by_seat)
    return {
        "round": int(row["round"]),
        "starter": starter,
        "turns": [tell_turn(turn, (starter + i) % n) for i, turn in enumerate(turns)],
        "ended_by": GAME.endings[row["ended_by"]],
        "pawns": [
            {
                color: [
                    int(row[f"space_{i}_{color}"]),
                    "leader" if place == row[f"leader_{i}"] else "explorer",
                ]
                for place, color in enumerate(COLORS)
                if row[f"space_{i}_{color}"]
            }
            for i in by_seat
        ],
        **{
            name: [int(row[f"{column}_{i}"]) for i in by_seat]
            for name, column in {
                "space_points": "space_points",
                "vp": "vp",
                "artefacts": "artefacts",
                "totals": "points",
            }.items()
        },
        "held": [(int(turn["points"]), int(turn["artefacts"])) for turn in turns],
    }


def tell_turn(turn, seat):
    """Return a traced turn as the referee's record has it."""
    play, moves = int(turn["play"]), turn["moves"][: turn["n_moves"]]
    card = write_card(play & ~(DISCARD | LEADER))
    told = {"seat": seat}
    if play & DISCARD:
        told["discard"] = card
    else:
        told["lay"] = card
        told["moves"] = [[COLORS[move >> 4], int(move) & 15] for move in moves]
        if told["moves"] and told["moves"][0] == [card[0], 1]:
            told["pawn"] = "leader" if play & LEADER else "explorer"
    if turn["draw"] != NO_DRAW:
        told["draw"] = "deck" if turn["draw"] < 0 else COLORS[turn["draw"]]
        told["drawn"] = write_card(int(turn["drawn"]))
    return told


def follow_tiles(ruleset, record):
    """Return what each seat held after each of its turns, worked out from moves and tiles alone.

    A list a round of (points, artefacts); checks crossings and the end of the round on the way.
    """
    n = record["players"]
    points, artefacts, held = [0] * n, [0] * n, []
    for round_ in record["rounds"]:
        tiles = {color: dict(path) for color, path in round_["tiles"].items()}
        spaces = [dict.fromkeys(COLORS, 0) for _ in range(n)]
        crossings, after = 0, []
        for turn in round_["turns"]:
            seat, ended = turn["seat"], False
            for color, space in turn.get("moves", ()):
                assert not ended, "a move after the last crossing"
                spaces[seat][color] += 1
                assert spaces[seat][color] == space
                crossings += space == ruleset.bridge_after + 1
                ended = crossings == ruleset.crossings_to_end
                tile = tiles[color].get(str(space), "")
                if ended:
                    continue
                if tile == "artefact":
                    del tiles[color][str(space)]
                    artefacts[seat] += 1
                elif tile.startswith("vp"):
                    points[seat] += int(tile[2:])
            assert ("draw" in turn) == (not ended)
            after.append((points[seat], artefacts[seat]))
        assert (crossings == ruleset.crossings_to_end) == (round_["ended_by"] == "bridges")
        held.append(after)
        points = [max(0, p + g) for p, g in zip(points, round_["space_points"], strict=True)]
        assert points == round_["totals"]
    assert artefacts == record["artefacts"]
    return held


def assert_same_games(ruleset, specs, *, seed, first_deal, n_deals):
    """Play deals through both and compare all there is; return the number of games."""
    games = 0
    for deal in range(first_deal, first_deal + n_deals):
        told = play_kernel(ruleset, specs, seed=seed, deal=deal)
        for rotation, (rounds, end) in enumerate(told):
            record = play_referee(ruleset, specs, seed=seed, deal=deal, rotation=rotation)
            for held, kernel, referee in zip(
                follow_tiles(ruleset, record), rounds, record["rounds"], strict=True
            ):
                assert kernel.pop("held") == held
                hidden = {"deck": referee["deck"], "tiles": referee["tiles"]}
                assert {**kernel, **hidden} == referee
            assert {name: record[name] for name in end} == end
            games += 1
    return games
