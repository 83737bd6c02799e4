"""Two rulesets on the same deals: paired differences against plain sums, and the sentences."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from conftest import draw_board_rows, draw_rows, find_part, write_run

from lcsim.report.build import build_report
from lcsim.report.games import EXTRAS
from lcsim.report.pairing import ALL, choose_pairs, pair_rulesets
from lcsim.report.source import open_source
from lcsim.report.variants import (
    SCORE,
    TURNS,
    WIN_RATE,
    compare_quantity,
    list_measures,
    measure_pairing,
)
from lcsim.report.write import write_report
from lcsim.rules.duel.outcome import settle_games

LABELS = [("x", "y"), ("x", "z"), ("y", "z")]
RULES = ("duel", "duel:bonus_points=0")
OPENED = list_measures({"opened": "expeditions opened"})[0]


def make_run(path, first, second, *, rulesets=RULES, kind="duel", labels=LABELS, **options):
    names = [ruleset for ruleset in rulesets for _ in labels]
    return write_run(
        path, [*first, *second], labels=[*labels, *labels], rulesets=names, kind=kind, **options
    )


def draw_both(seed, n_deals=120):
    """Return the rows of LABELS under two rulesets: the second plays the same, a little worse."""
    first = [draw_rows(np.random.default_rng(seed + i), n_deals=n_deals) for i in range(3)]
    second = [rows.copy() for rows in first]
    rng = np.random.default_rng(seed)
    for rows in second:
        rows["score_0"] -= rng.integers(0, 12, rows.shape)
        rows["turns"] += 3
    return first, second


@pytest.fixture(scope="module")
def both():
    return draw_both(10)


def pair(path):
    (pairing,) = pair_rulesets(open_source(path), EXTRAS["duel"])
    return pairing


@pytest.fixture(scope="module")
def pairing(both, tmp_path_factory):
    return pair(make_run(tmp_path_factory.mktemp("pair") / "run", *both))


def error(values):
    return np.std(values, ddof=1) / math.sqrt(len(values))


def test_a_difference_is_taken_deal_by_deal(both, pairing):
    change = compare_quantity(pairing.sums["x vs y", "x"], SCORE)
    sums = [rows[0]["score_0"].sum(axis=2).mean(axis=1) for rows in both]
    assert change.base.mean == pytest.approx(sums[0].mean())
    assert change.other.mean == pytest.approx(sums[1].mean())
    assert change.diff.mean == pytest.approx((sums[1] - sums[0]).mean())
    assert change.diff.se == pytest.approx(error(sums[1] - sums[0]))
    assert change.diff.se < change.base.se
    wins = [settle_games(rows[0]).win_twelfths[:, :, 0].mean(axis=1) / 12 for rows in both]
    rate = compare_quantity(pairing.sums["x vs y", "x"], WIN_RATE)
    assert rate.diff.mean == pytest.approx((wins[1] - wins[0]).mean())
    assert rate.diff.se == pytest.approx(error(wins[1] - wins[0]))


def test_a_strategy_is_summed_over_its_matchups(both, pairing):
    change = compare_quantity(pairing.sums["", "x"], SCORE)
    by_deal = [sum(rows[i]["score_0"].sum(axis=(1, 2)) for i in (0, 1)) / 4 for rows in both]
    assert change.diff.mean == pytest.approx((by_deal[1] - by_deal[0]).mean())
    assert change.diff.se == pytest.approx(error(by_deal[1] - by_deal[0]))


def test_what_is_everywhere_the_same_has_no_error(pairing):
    turns = compare_quantity(pairing.sums[ALL], TURNS)
    assert turns.diff.mean == pytest.approx(3)
    assert turns.diff.se == pytest.approx(0, abs=1e-12)
    opened = compare_quantity(pairing.sums[ALL], OPENED)
    assert (opened.diff.mean, opened.diff.se) == (0, 0)
    assert 0 < opened.base.mean <= 5


def test_swapping_the_rulesets_swaps_the_sign(both, pairing, tmp_path):
    swapped = pair(make_run(tmp_path / "run", *both[::-1], rulesets=RULES[::-1]))
    assert (swapped.base, swapped.other) == (pairing.other, pairing.base)
    for key, moments in pairing.sums.items():
        for quantity in (SCORE, WIN_RATE, TURNS, OPENED):
            one = compare_quantity(moments, quantity)
            other = compare_quantity(swapped.sums[key], quantity)
            assert other.diff.mean == -one.diff.mean
            assert other.diff.se == pytest.approx(one.diff.se, abs=1e-12)


@pytest.mark.parametrize("unit_deals", [7, 50, 500])
def test_unit_size_changes_no_sum(both, pairing, tmp_path, unit_deals):
    other = pair(make_run(tmp_path / "run", *both, unit_deals=unit_deals))
    assert other.sums == pairing.sums


def test_only_deals_of_both_are_paired(both, tmp_path):
    run = make_run(tmp_path / "run", *both)
    matchups = json.loads((run / "run.json").read_text())["matchups"]
    find_part(run, len(matchups) - 1, 64).unlink()  # deals 64 to 119 of the last matchup
    sums = pair(run).sums
    assert sums["y vs z", "y"].n == 64
    assert sums["x vs y", "x"].n == 120


def test_pairs_share_a_deck():
    deck = EXTRAS["duel"].deck_fields
    rulesets = ("duel", "duel-long", "classic", "duel-long:rounds=1", "duel:highest_rank=9")
    assert choose_pairs(rulesets, deck) == [
        ("duel", "duel-long", False),
        ("duel", "classic", True),
        ("duel-long", "duel-long:rounds=1", True),
        ("duel", "duel:highest_rank=9", False),
    ]
    board = ("board", "board-updown", "board:lowest_rank=1")
    assert choose_pairs(board, EXTRAS["board"].deck_fields) == [
        ("board", "board-updown", True),
        ("board", "board:lowest_rank=1", False),
    ]


def read_answers(path):
    return {
        answer.question: answer.sentence
        for answer in build_report(path).answers
        if answer.question in ("What does the other rule change?", "Who gains by it?")
    }


def test_the_report_leads_with_the_variant(both, tmp_path):
    run = make_run(tmp_path / "run", *both)
    write_report(run)
    text = json.loads((run / "report.json").read_text())
    first, second = (answer["answer"] for answer in text["answers"][:2])
    assert first.startswith("Under duel:bonus_points=0 instead of duel, on the same deals: mean")
    assert "turns a round" in first
    assert "within the error the same: expeditions opened a round" in first
    assert "loses most" in second
    overall = pd.DataFrame(text["tables"]["variants"]).set_index("quantity")
    difference = overall["other"] - overall["base"]
    assert difference.to_numpy() == pytest.approx(overall["diff"].to_numpy())
    assert len(text["tables"]["variants_by_strategy"]) == 3
    assert len(text["tables"]["variants_by_matchup"]) == 6
    assert {row["quantity"] for row in text["tables"]["pairing_by_ruleset"]} == {
        "score",
        "win_rate",
    }
    assert (run / "figures" / "effect-on-wins.svg").exists()


def test_the_forest_has_a_row_an_effect(both, tmp_path):
    report = build_report(make_run(tmp_path / "run", *both))
    assert not report.notes
    info = next(figure for figure in report.list_figures() if figure.name == "effect-on-wins").info
    ((title, rows),) = info.groups
    assert title == "duel:bonus_points=0 against duel"
    ranking = next(table for table in report.list_tables() if table.name == "ranking").frame
    assert [row.label for row in rows] == list(ranking["strategy"][:3])
    assert sum(row.effect for row in rows) == pytest.approx(0, abs=1e-9)
    assert all(row.interval[0] <= row.effect <= row.interval[1] for row in rows)
    assert {row.n_text for row in rows} == {"120"}
    assert all(row.is_paired for row in rows)


def test_nothing_changes(both, tmp_path):
    answers = read_answers(make_run(tmp_path / "run", both[0], both[0]))
    assert "nothing that is counted here differs" in answers["What does the other rule change?"]
    assert "no strategy's win rate differs" in answers["Who gains by it?"]


def test_one_deal_has_no_error(tmp_path):
    run = make_run(tmp_path / "run", *draw_both(3, n_deals=1))
    answers = read_answers(run)
    assert "gives no error" in answers["What does the other rule change?"]
    assert "gives no error" in answers["Who gains by it?"]
    write_report(run)


def test_other_decks_are_compared_unpaired(both, tmp_path):
    run = make_run(tmp_path / "run", *both, rulesets=("duel", "duel:lowest_rank=3"))
    answers = read_answers(run)
    assert "on other cards, so unpaired" in answers["What does the other rule change?"]
    report = build_report(run)
    assert not report.notes
    frame = next(t for t in report.list_tables() if t.name == "variants_by_strategy").frame
    row = frame[frame["strategy"] == "x"].iloc[0]
    assert not row["is_paired"]
    assert row["score_diff"] == pytest.approx(row["score_other"] - row["score_base"])
    independent = math.hypot(row["score_base_se"], row["score_other_se"])
    assert row["score_diff_se"] == pytest.approx(independent)
    by_deal = [sum(rows[i]["score_0"].sum(axis=(1, 2)) for i in (0, 1)) / 4 for rows in both]
    assert independent == pytest.approx(math.hypot(*map(error, by_deal)))
    info = next(figure for figure in report.list_figures() if figure.name == "effect-on-wins").info
    assert not any(row.is_paired for row in info.rows)
    assert "pairing_by_ruleset" not in {table.name for table in report.list_tables()}


def test_a_ruleset_without_a_common_matchup_says_so(both, tmp_path):
    labels = [("x", "y"), ("x", "z")]
    rows = [both[0][0], both[1][1]]
    run = write_run(tmp_path / "run", rows, labels=labels, rulesets=list(RULES))
    notes = build_report(run).notes
    assert [note.split(" has no")[0] for note in notes] == list(RULES)


def test_what_pairing_saves_is_measured(both, pairing):
    by_deal = [sum(rows[i]["score_0"].sum(axis=(1, 2)) for i in (0, 1)) / 4 for rows in both]
    wanted = np.var(by_deal[1] - by_deal[0]) / (np.var(by_deal[0]) + np.var(by_deal[1]))
    left = measure_pairing(pairing, "x", SCORE)
    assert left.mean == pytest.approx(wanted)
    assert left.mean < 0.5
    assert 0 < left.se < left.mean
    nothing = measure_pairing(pairing, "x", OPENED)
    assert (nothing.mean, nothing.se) == (0, 0)


def test_unrelated_samples_save_nothing(tmp_path):
    """Rows of the second ruleset drawn anew: the measured share is that of independence, 1."""
    first, second = draw_both(5, n_deals=640)[0], draw_both(50, n_deals=640)[0]
    left = measure_pairing(pair(make_run(tmp_path / "run", first, second)), "x", SCORE)
    assert abs(left.mean - 1) < 4 * left.se
    assert left.se < 0.1


def test_the_board_is_paired_too(rng, tmp_path):
    rulesets = ("board", "board-short")
    first, second = (
        [draw_board_rows(rng, n_deals=60, n_players=n, ruleset=name) for n in (2, 3)]
        for name in rulesets
    )
    labels = [("x", "y"), ("x", "y", "z")]
    run = make_run(tmp_path / "run", first, second, rulesets=rulesets, kind="board", labels=labels)
    (pairing,) = pair_rulesets(open_source(run), EXTRAS["board"])
    assert pairing.sums["", "z"].n == 60
    turns = compare_quantity(pairing.sums["x vs y", "x"], TURNS)
    wanted = second[0]["turns"].mean(axis=(1, 2)) - first[0]["turns"].mean(axis=(1, 2))
    assert turns.diff.mean == pytest.approx(wanted.mean())
    assert turns.diff.se == pytest.approx(error(wanted))
    assert "mean score a game" in read_answers(run)["What does the other rule change?"]
