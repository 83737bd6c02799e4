"""`lcsim bench`: how fast the compiled games run on this machine."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.bench_turns import EPILOG as TURNS_EPILOG
from lcsim.cli.bench_turns import bench_turns
from lcsim.cli.bench_units import EPILOG as UNITS_EPILOG
from lcsim.cli.bench_units import bench_units
from lcsim.cli.options import Json, Seed, count_cores, count_option, examples
from lcsim.cli.output import print_json, render_table, say
from lcsim.wording import pluralise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lcsim.rules import Ruleset
    from lcsim.strategy import CompiledStrategy

app = typer.Typer(
    rich_markup_mode=None, invoke_without_command=True, help="Measure the speed on this machine."
)

app.command("turns", epilog=TURNS_EPILOG)(bench_turns)
app.command("units", epilog=UNITS_EPILOG)(bench_units)

CHUNK = 65536
SAMPLE_ROUNDS = 50_000
YARDSTICK = "ladder"

Jobs = Annotated[
    int,
    count_option("--jobs", "Threads to play with."),
]
Rounds = Annotated[
    int,
    count_option("--rounds", "Rounds to play, one a deal."),
]


@dataclass(frozen=True, slots=True)
class Played:
    """The scores of one-round games, seat 0 and seat 1 by deal, and the seconds they took."""

    scores: "NDArray[np.int32]"
    seconds: float


@app.callback(epilog=examples("lcsim bench", "lcsim bench --json", "lcsim bench ladder --json"))
def bench(ctx: typer.Context, as_json: Json = False) -> None:
    """Measure the speed on this machine.

    Every shipped strategy of the card game against itself, but for those that play others in their
    heads, in rounds a second, on one thread and on all; `lcsim bench turns` sets the games side by
    side.
    """
    if ctx.invoked_subcommand is not None:
        return
    from lcsim.strategy import find_strategies

    names = [
        entry.name
        for entry in find_strategies(kind="duel")
        if entry.source == "shipped" and not entry.guests
    ]
    results = [_measure_strategy(name) for name in names]
    if as_json:
        print_json({"rounds": SAMPLE_ROUNDS, "cores": count_cores(), "timing": results})
        return
    rows = [
        (str(one["strategy"]), *(f"{float(one[key]):,.0f}" for key in ("one_job", "all_jobs")))
        for one in results
    ]
    cores = count_cores()
    header = ("strategy", "rounds/s, 1 thread", f"rounds/s, {cores} {pluralise(cores, 'thread')}")
    print(render_table(header, rows, right=(1, 2)))


@app.command(
    "ladder",
    epilog=examples(
        "lcsim bench ladder --json", "lcsim bench ladder --rounds 1000000 --seed 1 --jobs 2"
    ),
)
def bench_ladder(
    rounds: Rounds = 400_000, seed: Seed = 2026, jobs: Jobs = 1, as_json: Json = False
) -> None:
    """Play what tests/bench/duel_reference.c plays.

    One-round duels of `ladder` against itself: deals 0 to N - 1, seat 0 starts, no
    rotation. The digest is FNV-1a over the scores, as there.
    """
    played = play_rounds(YARDSTICK, rounds=rounds, seed=seed, jobs=jobs)
    mean_0, mean_1 = played.scores.mean(axis=0, dtype="f8")
    digest = digest_scores(played.scores)
    speed = rounds / played.seconds
    if as_json:
        print(
            f'{{"rounds": {rounds}, "seconds": {played.seconds:.4f}, "rounds_per_s": {speed:.0f}, '
            f'"mean_0": {mean_0:.6f}, "mean_1": {mean_1:.6f}, "digest": "{digest}"}}'
        )
        return
    print(
        f"{rounds:,} {pluralise(rounds, 'round')} in {played.seconds:.3f} s on "
        f"{jobs} {pluralise(jobs, 'thread')}: {speed:,.0f} rounds/s"
    )
    print(f"mean score {mean_0:.6f} in seat 0, {mean_1:.6f} in seat 1; digest {digest}")


def play_rounds(name: str, *, rounds: int, seed: int, jobs: int) -> Played:
    """Play deals 0 … rounds - 1 of one-round duels of a strategy against itself, rotation 0 only.

    Everything is compiled and has run once before the clock starts.
    """
    import numpy as np

    from lcsim.rules import get_game, parse_ruleset
    from lcsim.strategy import compile_strategy, load_strategy

    ruleset = parse_ruleset("duel:rounds=1")
    get_game(ruleset.kind).load_kernel(say)
    compiled = compile_strategy(load_strategy(name, kind=ruleset.kind), notify=say)
    scores = np.empty((rounds, 2), dtype=np.int32)
    play = _bind_chunk(ruleset, [compiled, compiled], seed, scores)
    size = max(1, min(CHUNK, -(-rounds // (8 * jobs))))
    starts = range(0, rounds, size)
    play(0, min(size, rounds))
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(abs, range(jobs)))
        begin = time.perf_counter()
        if jobs == 1:
            for start in starts:
                play(start, min(size, rounds - start))
        else:
            list(pool.map(lambda start: play(start, min(size, rounds - start)), starts))
        seconds = time.perf_counter() - begin
    return Played(scores, seconds)


def digest_scores(scores: "NDArray[np.int32]") -> str:
    """Return the 64-bit FNV-1a digest of the scores as little-endian int32, in hex."""
    import numba
    import numpy as np

    @numba.njit("uint64(uint8[::1])")
    def digest(octets: "NDArray[np.uint8]") -> Any:
        state = np.uint64(0xCBF29CE484222325)
        for octet in octets:
            state = (state ^ np.uint64(octet)) * np.uint64(0x100000001B3)
        return state

    octets = np.ascontiguousarray(scores, dtype="<i4").view(np.uint8).reshape(-1)
    return f"{int(digest(octets)):016x}"


def _bind_chunk(
    ruleset: "Ruleset",
    strategies: "list[CompiledStrategy]",
    seed: int,
    scores: "NDArray[np.int32]",
) -> Callable[[int, int], None]:
    from lcsim.rules import get_game

    game = get_game(ruleset.kind)

    def play(first: int, count: int) -> None:
        rows = game.play_deals(
            ruleset,
            seed=seed,
            first_deal=first,
            n_deals=count,
            strategies=strategies,
            n_rotations=1,
        ).reshape(count)
        scores[first : first + count, 0] = rows["score_0"]
        scores[first : first + count, 1] = rows["score_1"]

    return play


def _measure_strategy(name: str) -> dict[str, str | float]:
    speeds = {
        key: SAMPLE_ROUNDS / play_rounds(name, rounds=SAMPLE_ROUNDS, seed=2026, jobs=jobs).seconds
        for key, jobs in (("one_job", 1), ("all_jobs", count_cores()))
    }
    return {"strategy": name, **speeds}
