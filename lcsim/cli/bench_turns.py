"""`lcsim bench turns`: turns a second of every game, measured in one run."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from lcsim.cli.options import Json, Seed, count_cores, count_option, examples
from lcsim.cli.output import print_json, render_table, say
from lcsim.wording import pluralise

if TYPE_CHECKING:
    from lcsim.rules import Game
    from lcsim.strategy import CompiledStrategy

EPILOG = examples(
    "lcsim bench turns", "lcsim bench turns --json --jobs 2", "lcsim bench turns --rounds 200000"
)
CHUNK_ROUNDS = 1536

Jobs = Annotated[
    int | None,
    count_option("--jobs", "Threads to set beside one.", show_default="all cores"),
]
Rounds = Annotated[
    int,
    count_option("--rounds", "Rounds a measurement."),
]
Repeats = Annotated[
    int,
    count_option("--repeats", "Take the median of N."),
]


@dataclass(frozen=True, slots=True)
class Case:
    """A strategy of a game in every seat, with as few players as the game takes."""

    game: "Game"
    strategy: str
    compiled: "CompiledStrategy"

    @property
    def name(self) -> str:
        """The strategy and the ruleset, which has the game's name."""
        return f"{self.strategy}, {self.game.kind}"


def bench_turns(
    rounds: Rounds = 30_000,
    seed: Seed = 2026,
    jobs: Jobs = None,
    repeats: Repeats = 3,
    as_json: Json = False,
) -> None:
    """Measure turns a second of every game.

    The strategies that every game has, each against itself, on one thread and on several; the games
    alternate, so that a slow moment of the machine meets them all. The gain of the threads is the
    median of its own ratios, each of two measurements that followed one another.
    """
    cases = build_cases()
    threads = jobs or count_cores()
    speeds: dict[tuple[str, int], list[float]] = {}
    turns: dict[str, int] = {}
    for _ in range(repeats):
        for case in cases:
            for count in (1, threads):
                turns[case.name], seconds = play_turns(case, rounds=rounds, seed=seed, jobs=count)
                speeds.setdefault((case.name, count), []).append(turns[case.name] / seconds)
    results = [
        {
            "strategy": case.strategy,
            "ruleset": case.game.kind,
            "turns": turns[case.name],
            "one_job": round(statistics.median(speeds[case.name, 1])),
            "all_jobs": round(statistics.median(speeds[case.name, threads])),
            "gain": round(statistics.median(_divide(speeds, case.name, threads)), 3),
        }
        for case in cases
    ]
    if as_json:
        print_json({"rounds": rounds, "jobs": threads, "timing": results})
        return
    rows = [_describe(one, results) for one in results]
    most = f"turns/s, {threads} {pluralise(threads, 'thread')}"
    header = ("strategy", "game", "turns/s, 1 thread", most, "gain", "")
    print(render_table(header, rows, right=(2, 3, 4)))


def build_cases() -> list[Case]:
    """Return the strategies that every game ships, for each game in turn; all are compiled."""
    from lcsim.rules import GAMES
    from lcsim.strategy import compile_strategy, find_strategies, load_strategy

    shipped = [
        {
            entry.name
            for entry in find_strategies(kind=kind)
            if entry.source == "shipped" and not entry.guests
        }
        for kind in GAMES
    ]
    for game in GAMES.values():
        game.load_kernel(say)
    return [
        Case(game, name, compile_strategy(load_strategy(name, kind=game.kind), notify=say))
        for name in sorted(set.intersection(*shipped))
        for game in GAMES.values()
    ]


def play_turns(case: Case, *, rounds: int, seed: int, jobs: int) -> tuple[int, float]:
    """Play at least `rounds` rounds on `jobs` threads; return their turns and the seconds."""
    play, n_chunks = _bind_chunks(case, rounds, seed)
    play(0)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(abs, range(jobs)))
        begin = time.perf_counter()
        if jobs == 1:
            turns = sum(map(play, range(n_chunks)))
        else:
            turns = sum(pool.map(play, range(n_chunks)))
        return turns, time.perf_counter() - begin


def _bind_chunks(case: Case, rounds: int, seed: int) -> tuple[Callable[[int], int], int]:
    """Return a function that plays chunk number k and returns its turns, and how many there are."""
    game = case.game
    ruleset: Any = game.presets[game.kind]
    seats = game.player_counts[0]
    n_deals = max(1, CHUNK_ROUNDS // (seats * ruleset.rounds))

    def play(number: int) -> int:
        rows = game.play_deals(
            ruleset,
            seed=seed,
            first_deal=number * n_deals,
            n_deals=n_deals,
            strategies=[case.compiled] * seats,
        )
        return int(rows["turns"].sum())

    return play, max(1, -(-rounds // (n_deals * seats * ruleset.rounds)))


def _divide(speeds: dict[tuple[str, int], list[float]], name: str, threads: int) -> list[float]:
    one, several = speeds[name, 1], speeds[name, threads]
    return [b / a for a, b in zip(one[-len(several) :], several, strict=True)]


def _describe(one: dict[str, Any], results: list[dict[str, Any]]) -> tuple[str, ...]:
    first = next(other for other in results if other["strategy"] == one["strategy"])
    beside = ""
    if one is not first:
        beside = f"{one['one_job'] / first['one_job']:.2f} × {first['ruleset']}"
    return (
        one["strategy"],
        one["ruleset"],
        f"{one['one_job']:,}",
        f"{one['all_jobs']:,}",
        f"{one['gain']:.2f} ×",
        beside,
    )
