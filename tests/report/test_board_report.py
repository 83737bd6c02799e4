"""The board game's own counts: hand-worked games, against plain sums, and what is said of them."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from conftest import draw_board_rows, write_run

from lcsim.report.board_frames import (
    summarise_artefacts,
    summarise_by_opened,
    summarise_endings,
    summarise_expeditions,
    summarise_parts,
    summarise_pawns,
    summarise_spaces,
)
from lcsim.report.board_tally import PARTS, BoardTally
from lcsim.report.build import build_report
from lcsim.report.collect import collect_run
from lcsim.report.frames import summarise_ranking
from lcsim.report.plots import board_points
from lcsim.report.source import open_source
from lcsim.report.tally import Play
from lcsim.report.write import write_report
from lcsim.rules.board.outcome import build_row_dtype, settle_games
from lcsim.rules.board.ruleset import PRESETS

LABELS = ("a", "b")


def build_play(rows, labels=LABELS):
    return Play(0, labels, rows, *settle_games(rows))


@pytest.fixture
def one_deal():
    """One deal of the short game: a has a leader on 7 and an explorer on 1, b an explorer on 4."""
    rows = np.zeros((1, 2, 1), build_row_dtype(2))
    rows["rotation"] = [[[0], [1]]]
    rows["turns"], rows["ended_by"] = 50, [[[1], [0]]]
    rows["leader_0"], rows["leader_1"] = 0, -1
    rows["space_0_R"], rows["space_0_G"], rows["space_1_B"] = 7, 1, 4
    rows["space_points_0"], rows["space_points_1"] = 2 * 30 - 20, 5
    rows["vp_0"], rows["artefacts_0"], rows["artefact_points_0"] = 10, 2, 10
    rows["artefact_points_1"] = -20
    rows["points_0"], rows["points_1"] = 50, 5
    return rows


def test_a_hand_worked_game(one_deal):
    tally = BoardTally(PRESETS["board-short"])
    tally.add(build_play(one_deal))
    tally.close_segment()
    parts = summarise_parts(tally, LABELS).set_index("strategy")
    assert list(parts.loc["a", ["points", *PARTS, "doubling"]]) == [60, -20, 60, 10, 10, 0, 30]
    # b has 5 points and loses 20 by having no artefact: 15 of them are given back at 0.
    assert list(parts.loc["b", ["points", *PARTS, "doubling"]]) == [0, 5, 0, 0, -20, 15, 0]
    assert parts["points_se"].isna().all()
    pawns = summarise_pawns(tally, LABELS).set_index("strategy")
    seen = ["opened", "leader_out", "space", "leader_space", "crossed", "leader_crossed"]
    assert list(pawns.loc["a", seen]) == [2, 1, 4, 7, 0.5, 1]
    assert list(pawns.loc["b", ["opened", "leader_out", "space", "crossed"]]) == [1, 0, 4, 0]
    assert pd.isna(pawns.loc["b", "leader_space"])
    spaces = summarise_spaces(tally, LABELS).set_index(["strategy", "space"])
    assert spaces.loc["a", "share"].tolist() == [0.5, 0, 0, 0, 0, 0, 0.5, 0, 0]
    assert spaces.loc["a", "leader_share"].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0]
    kept = summarise_artefacts(tally, LABELS).set_index(["strategy", "artefacts"])
    assert kept.loc["a", "share"].tolist() == [0, 0, 1, 0, 0, 0]
    endings = summarise_endings(tally).iloc[0]
    shown = ["players", "turns", "ended_deck", "ended_bridges", "ended_turn_limit"]
    assert list(endings[shown]) == [2, 50, 0.5, 0.5, 0]


def test_expeditions_of_a_hand_worked_game(one_deal):
    tally = BoardTally(PRESETS["board-short"])
    tally.add(build_play(one_deal))
    tally.close_segment()
    frame = summarise_expeditions(tally, LABELS).set_index("strategy")
    shown = ["score", "profit", "n_expeditions"]
    assert frame[shown].to_dict("index") == {
        "a": {"score": (2 * 30 - 20) / 2, "profit": 0.5, "n_expeditions": 4},
        "b": {"score": 5, "profit": 1, "n_expeditions": 2},
    }
    by_opened = summarise_by_opened(tally, LABELS)
    seen = by_opened[by_opened["n_rounds"] > 0].set_index("strategy")
    assert seen["opened"].to_dict() == {"a": 2, "b": 1}
    assert seen["n_rounds"].to_dict() == {"a": 2, "b": 2}
    assert seen["score"].to_dict() == {"a": 20, "b": 5}
    assert seen["profit"].to_dict() == {"a": 0.5, "b": 1}


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    return [draw_board_rows(rng, n_deals=150, n_players=n) for n in (2, 3, 4)]


NAMES = [("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d")]


@pytest.fixture(scope="module")
def run_dir(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("board") / "run"
    return write_run(path, rows, labels=NAMES, kind="board")


def collect(path):
    (collected,) = collect_run(open_source(path), BoardTally)
    return collected


def test_parts_add_up_and_have_the_error_of_deals(rows, run_dir):
    frame = summarise_parts(collect(run_dir).extra, "abcd").set_index("strategy")
    for label in "abcd":
        total = sum(frame.loc[label, name] for name in PARTS)
        assert total == pytest.approx(frame.loc[label, "points"])
        assert frame.loc[label, "floor"] >= 0
    vp = [one["vp_1"].sum(axis=(1, 2)) for one in rows]
    by_deal = sum(vp) / (2 + 3 + 4)
    assert frame.loc["b", "vp"] == pytest.approx(by_deal.mean())
    assert frame.loc["b", "vp_se"] == pytest.approx(by_deal.std(ddof=1) / math.sqrt(150))


def test_tables_of_two_and_four_on_unequal_deals_have_the_ranking_s_error(rng, tmp_path):
    """What a table of four scores otherwise than one of two is planned, and no error."""
    rows = [draw_board_rows(rng, n_deals=300), draw_board_rows(rng, n_deals=150, n_players=4)]
    for number in range(2):
        rows[0][f"points_{number}"][..., -1] += 1000
    path = write_run(tmp_path / "run", rows, labels=[NAMES[0], NAMES[2]], kind="board")
    collected = collect(path)
    ranking = summarise_ranking(collected, open_source(path)).set_index("strategy")
    parts = summarise_parts(collected.extra, "ab").set_index("strategy")
    for label in "ab":  # each matchup has 600 games, so both weigh them the same
        assert parts.loc[label, "points"] == pytest.approx(ranking.loc[label, "mean_score"])
        assert parts.loc[label, "points_se"] == pytest.approx(
            ranking.loc[label, "mean_score_se"], rel=0.05
        )


def test_shares_of_spaces_add_up(rows, run_dir):
    tally = collect(run_dir).extra
    frame = summarise_spaces(tally, "abcd")
    for _, own in frame.groupby("strategy"):
        assert own["share"].sum() == pytest.approx(1)
        assert own["leader_share"].sum() == pytest.approx(1)
    on_three = sum((one[f"space_0_{color}"] == 3).sum() for one in rows for color in "RGWBY")
    seen = frame[(frame["strategy"] == "a") & (frame["space"] == 3)]["n_pawns"].item()
    assert seen == on_three


def test_numbers_opened_add_up_to_all_expeditions(rows, run_dir):
    tally = collect(run_dir).extra
    total = summarise_expeditions(tally, "abcd").set_index("strategy")
    parts = summarise_by_opened(tally, "abcd")
    parts["points"] = parts["score"] * parts["n_expeditions"]
    for label, own in parts.groupby("strategy"):
        assert own["n_expeditions"].sum() == total.loc[label, "n_expeditions"]
        mean = own["points"].sum() / own["n_expeditions"].sum()
        assert mean == pytest.approx(total.loc[label, "score"])
    worth = np.array([0, *PRESETS["board"].space_points])
    spaces = [one[f"space_3_{color}"] for one in rows[2:] for color in "RGWBY"]
    assert total.loc["d", "profit"] == pytest.approx(
        sum((worth[one] > 0).sum() for one in spaces) / sum((one > 0).sum() for one in spaces)
    )


def test_unit_size_changes_no_number(rows, run_dir, tmp_path):
    other = write_run(tmp_path / "run", rows, labels=NAMES, kind="board", unit_deals=17)
    for first, second in zip(
        build_report(run_dir).list_tables(), build_report(other).list_tables(), strict=True
    ):
        assert first.frame.equals(second.frame), first.name


def test_the_report_of_two_three_and_four(run_dir):
    write_report(run_dir)
    text = json.loads((run_dir / "report.json").read_text())
    answers = {answer["question"]: answer["answer"] for answer in text["answers"]}
    assert answers["What ends a round?"].startswith("With 2 players ")
    assert answers["What ends a round?"].count("of all players together; with 3 players") == 1
    assert "with 4 players" in answers["Does going first matter, by the number of players?"]
    assert "mean rank" in answers["What do more players change?"]
    counts = pd.DataFrame(text["tables"]["players"])
    for n, own in counts.groupby("players"):
        assert len(own) == n
        assert own["win_rate"].sum() == pytest.approx(1)
        assert own["gain"].sum() == pytest.approx(0, abs=1e-12)
        assert own["mean_rank"].sum() == pytest.approx(n * (n + 1) / 2)
    starters = pd.DataFrame(text["tables"]["players_starter"])
    assert starters["players"].tolist() == [2, 3, 4]
    assert starters["fair_share"].tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 4])
    assert "win-matrix.svg" not in {path.name for path in (run_dir / "figures").iterdir()}
    method = text["method"]["rulesets"]["board"]
    assert method["tile_places"]["assumed"]
    assert "share of the wins" in (run_dir / "figures" / "win-rate.svg").read_text()


def test_the_plots_hold_what_the_tables_say(run_dir):
    figures = {figure.name: figure.info for figure in build_report(run_dir).list_figures()}
    points = figures["points-by-part"]
    assert list(points.names) == ["explorers", "leader", "vp", "artefact_points", "floor"]
    for row in points.rows:
        assert sum(bar.length for bar in row.bars) == pytest.approx(row.total)
        for sign in (1, -1):  # bars of one side follow each other without a gap
            side = [bar for bar in row.bars if sign * bar.length > 0]
            ends = [0.0, *(bar.start + bar.length for bar in side)]
            assert [bar.start for bar in side] == pytest.approx(ends[: len(side)])
    spaces = figures["pawns-by-space"]
    assert spaces.spaces[0] == (1, -20)
    assert spaces.bridge_after == 6
    for line in spaces.lines:
        assert sum(point.share for point in line.points) == pytest.approx(100)


def test_one_deal_and_nobody_out_give_sentences(rng, tmp_path):
    rows = draw_board_rows(rng, n_deals=1)
    for name in rows.dtype.names:
        if name.startswith("space_") or name == "ended_by":
            rows[name] = 0
    rows["leader_0"] = rows["leader_1"] = -1
    report = build_report(write_run(tmp_path / "run", [rows], labels=[LABELS], kind="board"))
    answers = {answer.question: answer for answer in report.answers}
    assert answers["Where do pawns end?"].sentence == "Nobody set out in these games."
    assert answers["What is an expedition worth?"].sentence == "Nobody opened one in these games."
    assert "± ?" in answers["Where do the points come from?"].sentence
    assert answers["What ends a round?"].sentence.startswith(
        "100 ± ? % of the rounds end with an empty draw pile, after "
    )
    assert answers["What ends a round?"].headline == "an empty draw pile, 100 ± ? %"
    (rounds,) = (table for table in report.list_tables() if table.name == "board_rounds")
    titles = [header.title for header in rounds.headers]
    assert titles == ["players", "turns", "end with an empty draw pile", "rounds"]
    write_report(tmp_path / "run")


def test_a_part_too_small_to_be_seen_is_not_in_the_legend():
    row = {"strategy": "a", "points": 100.0, "points_se": 1.0, "x": 99.8, "y": 0.2, "z": -30.0}
    info = board_points.prepare(pd.DataFrame([row]), {"x": "much", "y": "little", "z": "loss"})
    assert info.names == {"x": "much", "z": "loss"}
    assert [(bar.start, bar.length) for bar in info.rows[0].bars] == [
        (0, 99.8),
        (99.8, 0.2),
        (0, -30),
    ]
