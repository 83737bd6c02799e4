"""One long run, watched: does its memory stay flat, and does a unit keep taking the same time?

    .venv/bin/python tests/bench/soak.py --rounds 50000000

Plays a match into a folder, looks at the process twice a second, and prints a table by tenths of
the run. Needs Linux, about 35 bytes of disk a round, and for 50 million rounds some minutes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from measure import LCSIM, PAIR, describe_machine, say

ROUNDS_A_GAME = 3
WAIT = 0.5  # seconds between two looks
TENTHS = 10


@dataclass(frozen=True)
class Look:
    """The process at one moment: units stored, wall-clock and processor seconds, memory in MB."""

    units: int
    seconds: float
    processor: float
    memory: float


def main() -> None:
    """Play, watch and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50_000_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--specs", nargs=2, default=PAIR, metavar="SPEC")
    asked = parser.parse_args()
    games = asked.rounds // ROUNDS_A_GAME // 2 * 2
    with tempfile.TemporaryDirectory(prefix="lcsim-soak-") as folder:
        out = Path(folder) / "run"
        words = ("match", *asked.specs, "--games", str(games), "--jobs", str(asked.jobs))
        say(f"{games * ROUNDS_A_GAME:,} rounds into {out}")
        looks = watch((*LCSIM, *words, "--json", "--out", str(out)), out / "parts")
        stored = sum(path.stat().st_size for path in (out / "parts").iterdir())
    print(f"{describe_machine()}; {' '.join(words)}")
    print(
        f"{stored / 2**20:,.0f} MB of parts, {stored / (games * ROUNDS_A_GAME):.1f} bytes a round"
    )
    print(render(looks))


def watch(command: Sequence[str], parts: Path) -> list[Look]:
    """Run a command and look at its process until it ends."""
    looks = []
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            look = look_at(process.pid, parts, begin)
            if look is not None:
                looks.append(look)
            time.sleep(WAIT)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} gave {process.returncode}")
    return looks


def look_at(pid: int, parts: Path, begin: float) -> Look | None:
    """Return how a process stands, None where it has stored nothing yet or has just ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        units = sum(path.suffix == ".parquet" for path in parts.iterdir())
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return None
    processor = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return Look(units, time.monotonic() - begin, processor, memory) if units else None


def render(looks: Sequence[Look]) -> str:
    """Return a table by tenths of the units: seconds a unit, and memory."""
    rows = ["| units | seconds a unit | processor seconds a unit | memory, median | most |"]
    rows.append("|---:|---:|---:|---:|---:|")
    for begin, end in cut_tenths(looks):
        part = [look for look in looks if begin.units <= look.units <= end.units]
        n = end.units - begin.units
        memory = [look.memory for look in part]
        rows.append(
            f"| {begin.units:,} to {end.units:,} | {(end.seconds - begin.seconds) / n:.3f} "
            f"| {(end.processor - begin.processor) / n:.3f} "
            f"| {statistics.median(memory):.0f} MB | {max(memory):.0f} MB |"
        )
    return "\n".join(rows)


def cut_tenths(looks: Sequence[Look]) -> list[tuple[Look, Look]]:
    """Return the first and last look of each tenth of the units; of fewer pieces in a short run."""
    last = looks[-1].units
    edges = [looks[0]]
    for tenth in range(1, TENTHS + 1):
        reached = next(look for look in looks if look.units >= last * tenth / TENTHS)
        if reached.units > edges[-1].units:
            edges.append(reached)
    return list(pairwise(edges))


if __name__ == "__main__":
    if not Path("/proc/self/statm").exists():
        sys.exit("this needs Linux")
    main()
