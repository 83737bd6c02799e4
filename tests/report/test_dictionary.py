"""Every column that can be exported is explained, and nothing else is."""

import csv
import itertools
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run
from forking import add_forks, draw_forks
from tunings import write_tuning

from lcsim.report import dictionary
from lcsim.report.dictionary import (
    explain_column,
    explain_part_column,
    explain_table,
    list_part_columns,
)
from lcsim.report.write import write_report
from lcsim.rules import GAMES

KNOWN = tomllib.loads(Path(dictionary.__file__).with_name("columns.toml").read_text("utf-8"))


def play_duel(path):
    """Two rulesets; a strategy, its restricted twin and another; some moves forked."""
    rng = np.random.default_rng(3)
    labels = list(itertools.combinations(["x", "x@no-wagers", "y"], 2))
    rows = [draw_rows(rng, n_deals=40) for _ in (*labels, *labels)]
    rulesets = ["duel"] * 3 + ["duel:expedition_cost=10"] * 3
    run = write_run(path, rows, labels=[*labels, *labels], rulesets=rulesets)
    return add_forks(run, [draw_forks(rng, n_deals=20) for _ in rows], n_deals=20)


def play_board(path):
    """Two rulesets, two and three players."""
    rng = np.random.default_rng(4)
    labels = [("x", "y"), ("x", "y", "z")]
    rulesets = ["board", "board", "board-updown", "board-updown"]
    rows = [draw_board_rows(rng, n_deals=30, n_players=n) for n in (2, 3, 2, 3)]
    return write_run(path, rows, labels=[*labels, *labels], rulesets=rulesets, kind="board")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The CSV and JSON files of a run of each game and a tuning: together all tables there are."""
    folders = []
    for play in (play_duel, play_board, write_tuning):
        folder = tmp_path_factory.mktemp("run") / "run"
        write_report(play(folder), formats=["csv", "json"])
        folders.append(folder)
    return folders


def read_headers(folder):
    for path in sorted((folder / "tables").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield path.stem, next(csv.reader(file))


def test_every_column_is_explained(written):
    for folder in written:
        text = (folder / "tables" / "columns.md").read_text(encoding="utf-8")
        for table, columns in read_headers(folder):
            assert explain_table(table), f"say in columns.toml what a row of {table} is"
            assert f"\n## {table}.csv\n" in text
            for column in columns:
                where = f"explain {column} of {table} in lcsim/report/columns.toml"
                assert explain_column(table, column), where
                assert f"\n| `{column}` | " in text


def test_nothing_is_explained_that_is_nowhere(written):
    tables = {table: set(columns) for one in written for table, columns in read_headers(one)}
    assert set(KNOWN["tables"]) == set(tables)
    for table, columns in KNOWN["tables"].items():
        assert set(columns) - {"rows"} <= tables[table], table
    everywhere = set().union(*tables.values())
    stems = {column.removesuffix("_diff") for column in everywhere}
    assert set(KNOWN["columns"]) <= everywhere | stems


def test_json_holds_the_same_tables_and_what_they_mean(written):
    for folder in written:
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        for table, columns in read_headers(folder):
            assert list(report["columns"][table]) == columns
            assert report["rows"][table] == explain_table(table)
            assert all(list(row) == columns for row in report["tables"][table])
        shown = {
            item["table"]
            for group in report["groups"]
            for section in group["sections"]
            for item in section["items"]
            if "table" in item
        }
        assert shown == set(report["tables"])


def test_what_follows_from_a_name():
    assert explain_column("ranking", "win_rate_se") == "standard error of win_rate"
    assert "95 %" in explain_column("ranking", "win_rate_ci95_hi")
    assert "under the ruleset it is held against" in explain_column(
        "variants_by_matchup", "turns_base"
    )
    assert explain_column("ranking", "turns_of_phrase") == ""
    assert explain_column("ranking", "nonsense_se") == ""
    assert explain_table("nonsense") == ""


@pytest.mark.parametrize("kind", GAMES)
def test_every_column_of_the_parts_is_explained_and_nothing_else(kind, written):
    game = GAMES[kind]
    text = next(
        text
        for folder in written
        if f"`{'exp' if kind == 'duel' else 'space'}_N_C`"
        in (text := (folder / "tables" / "columns.md").read_text(encoding="utf-8"))
    )
    dtypes = [(False, game.row_dtype(n)) for n in game.player_counts]
    dtypes += [(True, game.fork_dtype)] if game.fork_dtype else []
    for is_fork, dtype in dtypes:
        for column in ("matchup", "ruleset", *dtype.names):
            assert explain_part_column(kind, column, is_fork=is_fork), column
        stems = dict(list_part_columns(kind, is_fork=is_fork))
        known = KNOWN["parts"]["forks"] if is_fork else KNOWN["parts"]["all"] | KNOWN["parts"][kind]
        assert set(stems) == set(known)
        assert all(f"\n| `{stem}` | " in text for stem in stems)
    assert explain_part_column(kind, "ended_by").endswith(
        ", ".join(f"{number} {name}" for number, name in enumerate(game.endings))
    )
    assert explain_part_column(kind, "nonsense") == explain_part_column(kind, "nonsense_0") == ""
