"""The report of a tuning: what it says, what its plots hold, and what it refuses."""

import json
import shlex

import pytest
from tunings import change_tuning, write_goal, write_tuning

from lcsim.errors import PartError, RunDirError
from lcsim.report.figures import draw_figure
from lcsim.report.plots.panels import NARROW
from lcsim.report.tuning import LUCK, MATTERS, build_tuning_report
from lcsim.report.tuning_source import is_tuning, open_tuning
from lcsim.report.write import write_report
from lcsim.store.tune_dir import TuneDir


@pytest.fixture
def folder(tmp_path):
    return write_tuning(tmp_path / "tuning")


def answer(report, question):
    return next(one for one in report.answers if one.question == question)


def test_the_answers_carry_their_errors(folder):
    report = build_tuning_report(folder)
    brought, luck, matters = report.answers
    assert report.title == "Tuning mine against rival and itself"
    assert brought.headline == "+5.00 ± 0.12 points a game"
    assert "ends 2.90 ± 0.10 points a game ahead of rival and itself;" in brought.sentence
    assert "mine as it was ends 2.10 ± 0.10 points a game behind on the same" in brought.sentence
    assert luck.headline == "none that we can see"
    assert "+0.1 ± 0.5 lies within its error" in luck.sentence
    assert matters.headline == "weight_0"
    assert "weight_0 at 5 instead of 7 costs 2.00 ± 0.10 points a game" in matters.sentence
    assert "1 of the 2 parameters" in matters.sentence


def test_wins_are_told_in_percent(tmp_path):
    report = build_tuning_report(write_tuning(tmp_path / "t", goal="wins"))
    assert report.answers[0].headline == "+15.0 ± 0.4 % of games"
    assert "wins 8.7 ± 0.3 % of its games against rival" in report.answers[0].sentence


def test_a_gap_beyond_its_error_is_called_luck(folder):
    change_tuning(folder, lambda one: one["result"].update(searched=write_goal(6.0, 0.5, 100)))
    gap = answer(build_tuning_report(folder), LUCK)
    assert gap.headline == "+3.1 ± 0.5 points a game"
    assert gap.sentence.endswith("was luck.")


def test_a_neighbor_that_is_better_is_told(folder):
    def improve(manifest):
        manifest["result"]["neighbours"][3]["loss"] = write_goal(-1.0, 0.1, 400)

    sentence = answer(build_tuning_report(change_tuning(folder, improve)), MATTERS).sentence
    assert "weight_1 at 5.5 is even better, by 1.00 ± 0.10 points a game" in sentence


def test_one_of_many_neighbors_at_two_errors_is_chance(tmp_path):
    def improve(manifest):
        manifest["result"]["neighbours"][-1]["loss"] = write_goal(-0.25, 0.1, 400)

    folder = change_tuning(write_tuning(tmp_path / "t", n_params=30), improve)
    assert "even better" not in answer(build_tuning_report(folder), MATTERS).sentence


def test_the_plots_hold_the_search(folder):
    figures = {figure.name: figure for figure in build_tuning_report(folder).list_figures()}
    progress = figures["tuning-progress"].info
    assert progress.generations == tuple(range(1, 13))
    assert progress.goals[0] == pytest.approx(-2.0)
    assert progress.lows[0] == pytest.approx(-2.0 - 1.984 * 0.5, abs=1e-3)
    assert progress.spreads[:2] == pytest.approx((20, 10))
    assert [level.value for level in progress.levels] == [2.9, -2.1]
    values = figures["tuning-values"].info
    first = values.panels[0]
    assert (first.name, first.begun, first.found) == ("weight_0", 2, 7)
    assert first.values[1] == pytest.approx(4)
    loss = figures["tuning-loss"].info
    assert loss.panels[0].name == "weight_0"
    assert loss.panels[0].losses == pytest.approx((2.0, 0.5))
    assert loss.panels[0].worst == pytest.approx(2.0)
    low, high = loss.panels[0].span
    assert low < 0 < 2.2 < high < 2.6
    assert loss.panels[1].span[1] < 0.4  # a scale of its own: what costs little is no flat line
    for figure in figures.values():
        assert draw_figure(figure).svg.startswith(b"<?xml")


def test_one_parameter_is_told_as_one(tmp_path):
    report = build_tuning_report(write_tuning(tmp_path / "t", n_params=1))
    assert answer(report, MATTERS).sentence.endswith("it is the only parameter that was moved.")


def test_a_strategy_against_itself_is_exactly_even(folder):
    kept = TuneDir(folder).read_generations("0" * 64)
    kept.records[0]["estimate"] = write_goal(0.0, 0.0, 100)
    TuneDir(folder).mend_generations(kept)
    tables = {table.name: table for table in build_tuning_report(folder).list_tables()}
    first, second = tables["tuning_generations"].rows[:2]
    assert [cell.text for cell in first[1:3]] == ["exactly 0", "–"]
    assert "±" in second[1].text
    assert "exactly even" in tables["tuning_generations"].caption


def test_no_mark_of_code_is_left_in_words_for_people(folder):
    report = build_tuning_report(folder)
    captions = [item.caption for section in report.sections for item in section.items]
    assert "`" not in "".join(captions)


def test_the_figures_can_be_seen_whole_on_a_phone(folder):
    assert all(figure.size[0] <= NARROW for figure in build_tuning_report(folder).list_figures())


def test_many_parameters_get_more_rows_of_panels(tmp_path):
    heights = [
        build_tuning_report(write_tuning(tmp_path / str(n), n_params=n)).list_figures()[1].size[1]
        for n in (3, 4, 30)
    ]
    assert heights[0] < heights[1] < heights[2] / 4


def test_all_forms_are_written_and_the_spec_can_be_played(folder):
    files = write_report(folder)
    assert {file.name for file in files} >= {"report.html", "report.md", "report.json"}
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    specs = report["tables"]["tuning_specs"]
    assert specs[0]["spec"] == "mine:weight_0=7,weight_1=4.5"
    assert len(report["tables"]["tuning_values"]) == 24
    words = shlex.split(report["method"]["command"])
    assert words[:7] == ["lcsim", "tune", "mine", "--against", "rival", "--against", "self"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert 'href="sources/mine-00000000.py"' in page
    assert "Parquet" not in (folder / "tables" / "columns.md").read_text(encoding="utf-8")


def test_a_tuning_under_way_is_told_so(folder):
    change_tuning(folder, lambda one: one.pop("result"))
    report = build_tuning_report(folder)
    assert f"--out {folder}" in report.notes[0]
    assert report.answers == []
    assert [section.title for section in report.sections] == ["Progress", "Parameters"]
    assert write_report(folder, formats=["html", "md"])


def test_one_generation_is_enough(tmp_path):
    folder = write_tuning(tmp_path / "t", n_generations=1)
    assert write_report(folder, formats=["html"])


def test_none_at_all_is_not(folder):
    (folder / "generations.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(PartError, match="no generation"):
        write_report(folder, formats=["md"])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda one: one.pop("settings"), "settings: is missing"),
        (lambda one: one["settings"].update(goal="glory"), "settings.goal"),
        (lambda one: one["settings"].update(players=3), "not played by 3"),
        (lambda one: one["settings"].update(ruleset="board"), "none of duel"),
        (lambda one: one["settings"].update(ruleset="nonsense"), "nonsense"),
        (lambda one: one.update(kind="chess"), "chess"),
        (lambda one: one["params"].pop("weight_1"), "other parameters"),
        (lambda one: one["params"]["weight_1"].update(low=20), "low must lie below high"),
        (lambda one: one["result"]["values"].pop("weight_1"), "other parameters"),
        (lambda one: one["result"]["gain"].update(mean=float("nan")), "finite"),
        (lambda one: one["strategies"][0].update(source="../../x.py"), "source"),
    ],
)
def test_an_edited_tuning_is_refused(folder, change, says):
    change_tuning(folder, change)
    with pytest.raises(RunDirError) as caught:
        write_report(folder, formats=["md"])
    assert says in str(caught.value)


def test_a_result_of_more_generations_than_are_kept_is_refused(folder):
    file = folder / "generations.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:5]))
    with pytest.raises(RunDirError, match="has 5 of the 12 generations"):
        write_report(folder, formats=["md"])


def test_an_edited_generation_is_refused(folder):
    file = folder / "generations.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"spread": 0.1', b'"spread": 0.2', 1))
    with pytest.raises(RunDirError, match=r"generations\.jsonl, line 2: it was changed"):
        write_report(folder, formats=["md"])


def test_tables_count_groups_of_opponents(tmp_path):
    folder = write_tuning(tmp_path / "t", against=("a", "b", "self"))
    tuning = open_tuning(folder)
    assert is_tuning(folder)
    assert not is_tuning(tmp_path)
    assert tuning.n_tables == 3
    settings = tuning.settings.model_copy(update={"players": 4})
    assert tuning.model_copy(update={"settings": settings}).n_tables == 1
    settings = tuning.settings.model_copy(update={"players": 3})
    assert tuning.model_copy(update={"settings": settings}).n_tables == 6
