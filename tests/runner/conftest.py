"""Small experiments that the tests of the runner play again and again."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from lcsim.experiment import Plan, build_match_experiment, build_plan
from lcsim.shipped import find_shipped
from lcsim.store import open_run, scan_parts

PAIR = ("ladder", "random-legal")
GAMES = 3000
TABLES = {
    "duel": (PAIR, "duel"),
    "board-of-two": (("steady", "random-legal"), "board-updown"),
    "board-of-three": (("steady", "random-legal", "racer"), "board-short"),
}


@pytest.fixture
def make_plan() -> Callable[..., Plan]:
    """Return a maker of plans of one matchup, cut into several units."""

    def make(specs: tuple[str, ...] = PAIR, ruleset: str = "duel", **options: Any) -> Plan:
        chosen = {"games": GAMES, "seed": 11, "unit_deals": 400, **options}
        return build_plan(build_match_experiment(specs, ruleset, **chosen))

    return make


@pytest.fixture(params=TABLES)
def make_table(request: pytest.FixtureRequest, make_plan: Callable[..., Plan]) -> Callable:
    """Return a maker of plans of one game after the other, for two players and more."""
    specs, ruleset = TABLES[request.param]
    return functools.partial(make_plan, specs, ruleset)


@pytest.fixture
def read_rows() -> Callable[[Path], pl.DataFrame]:
    """Return a reader of all rows of a run, sorted."""

    def read(folder: Path) -> pl.DataFrame:
        frame = scan_parts(open_run(folder).list_parts()).collect()
        return frame.sort("ruleset", "matchup", "deal", "rotation", "round")

    return read


@pytest.fixture
def read_bytes() -> Callable[[Path], dict[str, bytes]]:
    """Return a reader of the bytes of each part of a run, by name."""

    def read(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}

    return read


@pytest.fixture
def shipped_source() -> str:
    """Return the source of a shipped strategy, to be tried as a user's own file."""
    return (find_shipped("strategies") / "duel" / "ladder.py").read_text(encoding="utf-8")
