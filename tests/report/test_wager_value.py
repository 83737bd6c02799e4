"""The section on what a wager is worth: three answers, and the sentences where one is missing."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from conftest import draw_rows, find_part, write_run
from forking import add_forks, draw_forks, list_forks

from lcsim.report.build import build_report
from lcsim.report.export import render_json
from lcsim.report.markdown import render_markdown
from lcsim.report.plots import duel_wager_value

WORTH = "What is a wager worth?"
LABELS = [("x", "o"), ("x@no-wagers", "o"), ("x", "x@no-wagers")]
PLAIN = [("x", "o"), ("p", "o")]


def make_run(path, *, labels=LABELS, n_deals=60, forks=None, **options):
    games = []
    for number, pair in enumerate(labels):
        rows = draw_rows(np.random.default_rng(number), n_deals=n_deals)
        for seat, label in enumerate(pair):
            if label.endswith("@no-wagers"):
                for name in rows.dtype.names:
                    if name.startswith(f"exp_{seat}_"):
                        rows[name] &= 0xFF8
        games.append(rows)
    run = write_run(path, games, labels=labels, **options)
    return run if forks is None else add_forks(run, forks, n_deals=n_deals)


def draw_all(labels=LABELS, n_deals=60):
    """Return random forks of each matchup, none of a strategy without wagers."""
    found = []
    for number, pair in enumerate(labels):
        forks = draw_forks(np.random.default_rng(20 + number), n_deals=n_deals)
        barred = [seat for seat, label in enumerate(pair) if label.endswith("@no-wagers")]
        found.append(forks[~np.isin(forks["strategy"], barred)])
    return found


def read_report(run):
    report = build_report(run)
    text = render_json(report)
    assert "nan" not in (text + render_markdown(report)).lower()
    return report, json.loads(text)


def find_section(report):
    return next(
        section for group in report.groups for section in group.sections if section.title == WORTH
    )


def find_answer(values):
    return next((a["answer"] for a in values["answers"] if a["question"] == WORTH), None)


def test_three_answers_are_kept_apart(tmp_path):
    report, values = read_report(make_run(tmp_path / "run", forks=draw_all()))
    section = find_section(report)
    for word in ("Described:", "Without:", "Marginal:"):
        assert word in section.lead
    assert "to get" not in section.lead
    rows = {(row["strategy"], row["answer"]): row for row in values["tables"]["wager_value"]}
    assert {key for key in rows if key[0] == "x"} == {
        ("x", answer) for answer in ("described", "without", "marginal")
    }
    assert ("x@no-wagers", "marginal") not in rows
    units = {row["answer"]: row["unit"] for row in rows.values()}
    assert units == {
        "described": "points an expedition",
        "without": "points a game",
        "marginal": "points a wager",
    }
    (without,) = values["tables"]["restrictions"]
    assert rows["x", "without"]["points"] == without["score"]
    assert rows["x", "without"]["win_rate_se"] == without["win_rate_se"]
    marginal = next(r for r in values["tables"]["wager_marginal"] if r["strategy"] == "x")
    assert rows["x", "marginal"]["points"] == marginal["points"]
    assert rows["x", "marginal"]["n"] == marginal["n_wagers"]
    assert rows["x", "described"]["win_rate"] is None


def test_the_answer_has_both_numbers_with_their_errors(tmp_path):
    _, values = read_report(make_run(tmp_path / "run", forks=draw_all()))
    said = find_answer(values)
    assert said.startswith("To be allowed wagers is worth ")
    assert "points a game and" in said
    assert "% of games to x. A wager that" in said
    assert "over the strategies it goes from" in said
    assert said.count("±") == 5


def test_the_marginal_tables_and_figures_are_all_there(tmp_path):
    report, values = read_report(make_run(tmp_path / "run", forks=draw_all()))
    names = ["wager_marginal", *(f"wager_marginal_by_{key}" for key in ("cards", "wager", "turn"))]
    for name in (*names, "wager_marginal_by_held", "wager_extremes"):
        assert values["tables"][name], name
    everybody = values["tables"]["wager_marginal"][0]
    assert everybody["strategy"] is None
    own = [row["n_wagers"] for row in values["tables"]["wager_marginal"][1:]]
    assert everybody["n_wagers"] == sum(own)
    figures = {figure.name: figure for figure in report.list_figures()}
    for key in ("cards", "wager", "turn"):
        figure = figures[f"wager-by-{key}"]
        assert {line.label for line in figure.info.lines} == {"x", "o"}
        drawn = [
            row["n_wagers"]
            for row in values["tables"][f"wager_marginal_by_{key}"]
            if row["strategy"] and row["n_deals"] >= 10
        ]
        assert figure.info.n_wagers == sum(drawn) > 0.8 * sum(own)
        for words in ("points a wager", "95 % intervals", "n = "):
            assert words in figure.caption
        for line in figure.info.lines:
            assert all(p.interval[0] <= p.points <= p.interval[1] for p in line.points)
    assert figures["wager-by-wager"].info.bands == ("1", "2", "3")
    assert [row.label for row in figures["wager-without"].info.rows] == ["o"]


def test_a_table_over_strategies_says_so(tmp_path):
    report, _ = read_report(make_run(tmp_path / "run", forks=draw_all()))
    table = next(table for table in report.list_tables() if table.name == "wager_marginal")
    assert table.rows[0][0].text == "all strategies"
    assert {row[0].text for row in table.rows[1:]} == {"x", "o"}
    assert table.rows[0][0].label is None


def test_with_nothing_but_games_it_is_described_and_the_others_are_asked_for(tmp_path):
    report, values = read_report(make_run(tmp_path / "run", labels=PLAIN))
    section = find_section(report)
    assert 'add "' in section.lead
    assert '@no-wagers" to the strategies of the experiment' in section.lead
    assert "add the table [forks] with games = 2_000 to the experiment" in section.lead
    assert {row["answer"] for row in values["tables"]["wager_value"]} == {"described"}
    assert find_answer(values) is None
    assert "wager_marginal" not in values["tables"]


def test_each_of_the_two_others_can_stand_alone(tmp_path):
    report, values = read_report(make_run(tmp_path / "a"))
    assert "[forks]" in find_section(report).lead
    assert "@no-wagers" not in find_section(report).lead
    assert "A wager that" not in find_answer(values)
    report, values = read_report(
        make_run(tmp_path / "b", labels=PLAIN, forks=draw_all(labels=PLAIN))
    )
    assert "@no-wagers" in find_section(report).lead
    assert "[forks]" not in find_section(report).lead
    assert find_answer(values).startswith("A wager that ")


def test_forks_that_are_not_all_there_yet_are_told(tmp_path):
    run = make_run(tmp_path / "run", labels=PLAIN, forks=draw_all(labels=PLAIN), n_deals=100)
    find_part(run, 1, 64, folder="forks").unlink()
    report, values = read_report(run)
    assert "to go on: lcsim run example.toml" in find_section(report).lead
    assert values["tables"]["wager_marginal"]
    assert report.notes[0] == (
        "The run is not complete: the moves of 82 % of the deals to fork have been forked so far. "
        "To go on: lcsim run example.toml"
    )
    for part in (run / "forks").iterdir():
        part.unlink()
    report, values = read_report(run)
    assert "to go on: lcsim run example.toml" in find_section(report).lead
    assert "wager_marginal" not in values["tables"]


def test_a_strategy_that_never_lays_a_wager_has_an_empty_answer(tmp_path):
    forks = [part[part["strategy"] == 1] for part in draw_all(labels=PLAIN)]
    _, values = read_report(make_run(tmp_path / "run", labels=PLAIN, forks=forks))
    rows = {(row["strategy"], row["answer"]): row for row in values["tables"]["wager_value"]}
    row = rows["x", "marginal"]
    assert (row["points"], row["points_se"], row["win_rate"], row["n"]) == (None, None, None, 0)
    marginal = next(r for r in values["tables"]["wager_marginal"] if r["strategy"] == "x")
    assert (marginal["wagers"], marginal["wagers_se"], marginal["paid"]) == (0, 0, None)
    assert "A wager that o lays" in find_answer(values)


def test_nobody_laid_a_wager(tmp_path):
    report, values = read_report(make_run(tmp_path / "run", labels=PLAIN, forks=[list_forks()] * 2))
    assert find_answer(values) == "Nobody laid a wager in the games that were forked."
    assert not [f for f in report.list_figures() if f.name.startswith("wager-by")]
    assert values["tables"]["wager_extremes"] == []


def test_one_deal_gives_no_error(tmp_path):
    report, values = read_report(make_run(tmp_path / "run", n_deals=1, forks=draw_all(n_deals=1)))
    assert "one deal gives no error" in find_answer(values)
    answer = next(
        a for group in report.groups for a in (*group.front, *group.answers) if a.question == WORTH
    )
    assert answer.headline == "one deal cannot tell"
    row = next(r for r in values["tables"]["wager_marginal"] if r["strategy"] == "x")
    assert row["points"] is not None
    assert row["points_se"] is row["points_ci95_lo"] is None


def test_forks_that_change_nothing(tmp_path):
    forks = draw_all(labels=PLAIN)
    for part in forks:
        for number in (0, 1):
            part[f"other_{number}"] = part[f"score_{number}"]
    report, values = read_report(make_run(tmp_path / "run", labels=PLAIN, forks=forks))
    row = next(r for r in values["tables"]["wager_marginal"] if r["strategy"] == "x")
    assert (row["points"], row["points_se"], row["win_rate"], row["paid"]) == (0, 0, 0, 0)
    assert values["tables"]["wager_extremes"] == []
    answer = next(
        a for group in report.groups for a in (*group.front, *group.answers) if a.question == WORTH
    )
    assert answer.headline == "nothing that we can see"


def test_a_ruleset_without_wagers_has_no_such_section(tmp_path):
    run = make_run(tmp_path / "run", labels=PLAIN, rulesets=["duel:wagers_per_color=0"] * 2)
    report, values = read_report(run)
    assert find_answer(values) is None
    assert not [table for table in report.list_tables() if table.name == "wager_value"]


def test_the_largest_gains_and_losses_come_with_both_replays(tmp_path):
    best = (7, 1, (20, 90), (30, 40), {"rotation": 1, "round": 2, "turn": 11, "color": 3})
    worst = (9, 0, (-10, 5), (60, 4), {"round": 0, "turn": 4, "color": 0})
    labels = [("x@max-expeditions=4", "o")]
    run = make_run(tmp_path / "run", labels=labels, forks=[list_forks(best, worst)])
    _, values = read_report(run)
    gain, loss = values["tables"]["wager_extremes"]
    assert (gain["points"], gain["strategy"], gain["card"]) == (50, "o", "Bw")
    assert (gain["own"], gain["opponent"]) == (90, 20)
    assert (gain["own_without"], gain["opponent_without"]) == (40, 30)
    start = "lcsim replay x@max-expeditions=4 o"
    rest = "--ruleset duel --seed 42 --deal 7 --rotation 1"
    assert gain["replay"] == f"{start} {rest}"
    assert gain["replay_without"] == f"{start}@no-lay=Bw:2.11 {rest}"
    assert (loss["points"], loss["own"], loss["own_without"]) == (-70, -10, 60)
    assert loss["replay_without"].startswith(
        "lcsim replay x@max-expeditions=4+no-lay=Rw:0.4 o --ruleset duel"
    )


def test_several_rulesets_have_their_own_forks(tmp_path):
    labels = [("x", "o"), ("x", "o")]
    forks = draw_all(labels=labels)
    run = make_run(
        tmp_path / "run", labels=labels, forks=forks, rulesets=["duel", "duel:bonus_points=0"]
    )
    _, values = read_report(run)
    rows = [row for row in values["tables"]["wager_marginal"] if row["strategy"] == "x"]
    assert [row["ruleset"] for row in rows] == ["duel", "duel:bonus_points=0"]
    for row, part in zip(rows, forks, strict=True):
        own = part[part["strategy"] == 0]
        assert row["points"] == pytest.approx((own["score_0"].astype(int) - own["other_0"]).mean())
        assert math.isfinite(row["points_se"])


def test_what_a_few_deals_have_is_not_drawn():
    values = {f"points_{end}": 1.0 for end in ("se", "ci95_lo", "ci95_hi")}
    rows = [
        {"strategy": label, "band": band, "cards": str(band + 1), "points": 3.0, **values}
        | {"n_wagers": 40, "n_deals": n_deals}
        for label, band, n_deals in (("x", 0, 30), ("x", 1, 9), ("o", 0, 9), (None, 0, 50))
    ]
    info = duel_wager_value.prepare(pd.DataFrame(rows), "cards", "cards in hand", {"x": 0, "o": 1})
    assert [(line.label, [p.band for p in line.points]) for line in info.lines] == [("x", [0])]
    assert info.bands == ("1", "2")
    assert info.n_wagers == 40


def test_no_more_strategies_are_drawn_than_there_are_colors():
    values = {f"points_{end}": 1.0 for end in ("se", "ci95_lo", "ci95_hi")}
    rows = [
        {"strategy": f"s{number}", "band": 0, "cards": "1", "points": 1.0, **values}
        | {"n_wagers": 10, "n_deals": 10}
        for number in range(9)
    ]
    colors = {row["strategy"]: place for place, row in enumerate(rows)}
    info = duel_wager_value.prepare(pd.DataFrame(rows), "cards", "cards in hand", colors)
    assert [line.label for line in info.lines] == [f"s{number}" for number in range(8)]
    assert (info.is_cut, info.n_wagers) == (True, 80)
