"""Measure what README.md promises, and renew its table: `make bench`.

Everything runs on this machine, in this order, alternating where two things are compared, so that
a slow minute of the machine meets both. Run it on a quiet machine: it takes some minutes.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(__file__).with_name("duel_reference.c")
README = ROOT / "README.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
LCSIM = (sys.executable, "-m", "lcsim.cli.app")
PAIR = ("balanced", "cautious-opener")
UNIT = 8192

Row = tuple[str, str, str]


def main() -> None:
    """Measure, print the table, and put it into README.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds a yardstick run")
    parser.add_argument("--games", type=int, default=1_000_000, help="games of the long match")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dry-run", action="store_true", help="leave README.md as it is")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lcsim-bench-") as name:
        folder = Path(name)
        rows = [
            *measure_yardstick(folder, rounds=asked.rounds, repeats=asked.repeats),
            *measure_machine(folder, rounds=asked.rounds, repeats=2 * asked.repeats + 1),
            *measure_turns(repeats=2 * asked.repeats + 1),
            *measure_match(folder, games=asked.games, repeats=min(3, asked.repeats)),
            *measure_memory(folder, games=(asked.games // 5, asked.games * 2)),
            *measure_starts(repeats=asked.repeats),
        ]
    table = render_table(rows)
    print(table)
    if not asked.dry_run:
        text = README.read_text(encoding="utf-8")
        README.write_text(replace_block(text, table), encoding="utf-8")


def measure_yardstick(folder: Path, *, rounds: int, repeats: int) -> Iterator[Row]:
    """Compare the compiled ladder with the same loop in C, side by side."""
    program = compile_reference(folder)
    threads = os.cpu_count() or 1
    commands = {
        "C": (str(program), str(rounds), "2026"),
        "1": (*LCSIM, *_words_of_ladder(rounds, 1)),
        "all": (*LCSIM, *_words_of_ladder(rounds, threads)),
    }
    speeds: dict[str, list[float]] = {name: [] for name in commands}
    digests = set()
    for repeat in range(repeats):
        for name, command in commands.items():
            say(f"yardstick {repeat + 1}/{repeats}: {name}")
            answer = json.loads(run(command))
            speeds[name].append(answer["rounds_per_s"])
            digests.add(answer["digest"])
    if len(digests) != 1:
        raise SystemExit(f"the scores differ from those of the C loop: digests {digests}")
    middle = {name: statistics.median(values) for name, values in speeds.items()}
    shown = {name: f"{value:,.0f} rounds/s" for name, value in middle.items()}
    yield "scalar C, 1 thread (gcc -O3 -march=native)", shown["C"], ""
    yield "lcsim, 1 thread", shown["1"], f"{middle['1'] / middle['C']:.2f} × C (aim: 0.8 or more)"
    gain = statistics.median(b / a for a, b in zip(speeds["1"], speeds["all"], strict=True))
    yield f"lcsim, {threads} threads", shown["all"], f"{gain:.2f} × one thread (aim: 1.8 on two)"


def measure_machine(folder: Path, *, rounds: int, repeats: int) -> Iterator[Row]:
    """Measure what the machine gives two programs that share nothing: two C loops at once."""
    command = (str(compile_reference(folder)), str(rounds), "2026")
    gains = []
    for repeat in range(repeats):
        say(f"two C loops side by side {repeat + 1}/{repeats}")
        alone = _time_programs([command])
        gains.append(2 * alone / _time_programs([command, command]))
    spread = f"{min(gains):.2f} to {max(gains):.2f} in {repeats} tries"
    yield "two C programs at once", f"{statistics.median(gains):.2f} × one", spread


def measure_turns(*, repeats: int) -> Iterator[Row]:
    """Compare the board game's turns a second with the card game's, and two threads with one."""
    say("turns of both games")
    words = ("bench", "turns", "--rounds", "60000", "--repeats", str(repeats), "--json")
    answer = json.loads(run((*LCSIM, *words)))
    yield from list_turns(answer)


def list_turns(answer: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of an answer of `lcsim bench turns --json`."""
    first: dict[str, float] = {}
    for one in answer["timing"]:
        name = f"{one['ruleset']}, {one['strategy']} against itself"
        speed = one["one_job"]
        beside = ""
        if one["strategy"] in first:
            beside = f"{speed / first[one['strategy']]:.2f} × the duel (aim: 0.33 or more)"
        first.setdefault(one["strategy"], speed)
        yield f"{name}, 1 thread", f"{speed:,.0f} turns/s", beside
        gain = f"{one['gain']:.2f} × one thread (aim: 1.8 on two)"
        yield f"{name}, {answer['jobs']} threads", f"{one['all_jobs']:,.0f} turns/s", gain


def measure_match(folder: Path, *, games: int, repeats: int) -> Iterator[Row]:
    """Compare `lcsim match --out`, as a whole, with the kernel alone on the same games."""
    alone, whole = [], []
    kernel = (sys.executable, str(Path(__file__)), "--kernel", str(games))
    for repeat in range(repeats):
        say(f"match {repeat + 1}/{repeats}")
        alone.append(json.loads(run(kernel))["seconds"])
        seconds, _ = time_match(folder / f"match-{repeat}", games)
        whole.append(seconds)
    kernel_s, match_s = statistics.median(alone), statistics.median(whole)
    name = " ".join(PAIR)
    yield f"kernel alone, {games:,} games of {name}, 2 threads", f"{kernel_s:.2f} s", ""
    ratio = f"{match_s / kernel_s:.2f} × the kernel (aim: 1.3 or less)"
    yield f"lcsim match, {games:,} games, 2 jobs, Parquet written", f"{match_s:.2f} s", ratio


def measure_memory(folder: Path, *, games: Sequence[int]) -> Iterator[Row]:
    """Compare the peak memory of matches of different lengths."""
    peaks = []
    for count in games:
        say(f"memory: {count:,} games")
        peaks.append(time_match(folder / f"memory-{count}", count)[1])
        yield f"peak memory, {count:,} games", f"{peaks[-1]:.0f} MB", "aim: under 700 MB, and equal"


def measure_starts(*, repeats: int) -> Iterator[Row]:
    """Time the commands whose start is all there is to them."""
    cases = (
        ("lcsim --help", ("--help",), "aim: 0.5 s or less"),
        (
            "lcsim match, 2,000 games, warm",
            ("match", *PAIR, "--games", "2000"),
            "aim: 3 s or less",
        ),
    )
    for name, words, aim in cases:
        run((*LCSIM, *words))
        seconds = []
        for _ in range(repeats):
            begin = time.perf_counter()
            run((*LCSIM, *words))
            seconds.append(time.perf_counter() - begin)
        yield name, f"{statistics.median(seconds):.2f} s", aim


def compile_reference(folder: Path) -> Path:
    """Compile the C loop; it stops here where there is no gcc."""
    if not shutil.which("gcc"):
        raise SystemExit("the yardstick needs gcc; install it and try again")
    program = folder / "duel_reference"
    run(("gcc", "-O3", "-march=native", str(REFERENCE), "-o", str(program)))
    return program


def time_match(out: Path, games: int) -> tuple[float, float]:
    """Return the seconds and the peak memory in MB of one `lcsim match --out`, as a process."""
    words = ("match", *PAIR, "--games", str(games), "--jobs", "2", "--json", "--out", str(out))
    begin = time.perf_counter()
    process = subprocess.Popen((*LCSIM, *words), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"lcsim {' '.join(words)} gave {process.returncode}")
    shutil.rmtree(out)
    return seconds, usage.ru_maxrss / 1024


def play_kernel(games: int) -> None:
    """Play the games of the long match with nothing around the kernel; print the seconds."""
    from lcsim.rules import get_game, parse_ruleset
    from lcsim.strategy import compile_strategy, load_strategy

    ruleset = parse_ruleset("duel")
    game = get_game(ruleset.kind)
    pair = [compile_strategy(load_strategy(spec, kind=ruleset.kind)) for spec in PAIR]
    deals = games // len(PAIR)

    def play(first: int) -> None:
        count = min(UNIT, deals - first)
        game.play_deals(ruleset, seed=42, first_deal=first, n_deals=count, strategies=pair)

    play(0)
    with ThreadPoolExecutor(2) as pool:
        begin = time.perf_counter()
        list(pool.map(play, range(0, deals, UNIT)))
        print(json.dumps({"seconds": time.perf_counter() - begin}))


def render_table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table under a line that says where and when."""
    lines = [
        f"Measured on {describe_machine()}, {datetime.now(UTC):%Y-%m-%d}, by `make bench`.",
        "",
        "| what | measured | beside |",
        "|---|---:|---|",
        *(f"| {what} | {measured} | {beside} |" for what, measured, beside in rows),
    ]
    return "\n".join(lines)


def replace_block(text: str, table: str) -> str:
    """Return `text` with what stands between the markers replaced, or with a block added."""
    block = f"{BEGIN}\n{table}\n{END}"
    if BEGIN not in text or END not in text:
        return f"{text.rstrip()}\n\n## Speed\n\n{block}\n"
    before, _, rest = text.partition(BEGIN)
    return before + block + rest.partition(END)[2]


def describe_machine() -> str:
    """Return processor, cores, system and the versions that decide the speed."""
    from importlib.metadata import version

    info = Path("/proc/cpuinfo")
    models = [
        line.partition(":")[2].strip()
        for line in (info.read_text().splitlines() if info.exists() else [])
        if line.startswith("model name")
    ]
    processor = models[0] if models else platform.processor() or platform.machine()
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, Numba {version('numba')}"
    )


def run(command: Sequence[str]) -> str:
    """Run a command and return its stdout; its stderr passes through."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def say(text: str) -> None:
    """Tell what is going on, on stderr."""
    print(text, file=sys.stderr, flush=True)


def _time_programs(commands: Sequence[Sequence[str]]) -> float:
    begin = time.perf_counter()
    programs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    codes = [program.wait() for program in programs]
    if any(codes):
        raise SystemExit("a C loop failed")
    return time.perf_counter() - begin


def _words_of_ladder(rounds: int, jobs: int) -> tuple[Any, ...]:
    return (
        "bench",
        "ladder",
        "--rounds",
        str(rounds),
        "--seed",
        "2026",
        "--jobs",
        str(jobs),
        "--json",
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--kernel"]:
        play_kernel(int(sys.argv[2]))
    else:
        main()
