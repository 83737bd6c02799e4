"""Two different files under one name are two strategies, wherever they meet."""

import pytest

from lcsim.experiment import build_match_experiment, build_plan
from lcsim.runner import run_plan
from lcsim.runner.backends import ThreadBackend
from lcsim.runner.verify import verify_run
from lcsim.store import open_run, read_part

TEXT = """
from lcsim.duel import Strategy, rank_of

class Mine(Strategy):
    def lay(self, view, card):
        return {lay}

    def discard(self, view, card):
        return -1.0

    def draw(self, view, card):
        return -1.0
"""
LOW, HIGH = TEXT.format(lay="12.0 - rank_of(card)"), TEXT.format(lay="0.0 + rank_of(card)")


@pytest.fixture
def files(tmp_path):
    """Two files of one name with one class name, and the second under another name."""
    places = [tmp_path / "a" / "mine.py", tmp_path / "b" / "mine.py", tmp_path / "other.py"]
    for place, text in zip(places, (LOW, HIGH, HIGH), strict=True):
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
    return [str(place) for place in places]


def play(specs, folder):
    plan = build_plan(build_match_experiment(specs, games=400, seed=4, unit_deals=100))
    result = run_plan(plan, folder, jobs=2)
    rows = [read_part(path).rows for path in open_run(folder).list_parts()]
    return plan, result, rows


def test_they_are_told_apart_in_play_in_labels_and_in_what_is_kept(files, tmp_path):
    low, high, other = files
    plan, _, rows = play((low, high), tmp_path / "run")
    _, _, same = play((low, other), tmp_path / "same")
    assert [list(one) for one in rows] == [list(one) for one in same]
    _, _, alone = play((low, low), tmp_path / "alone")
    assert [list(one) for one in rows] != [list(one) for one in alone]
    assert plan.matchups[0].labels == ("mine", high)
    kept = sorted(path.read_text() for path in (tmp_path / "run" / "sources").iterdir())
    assert kept == sorted([LOW, HIGH])
    found = verify_run(tmp_path / "run", ThreadBackend(2), n_units=None, run_sources=True)
    assert found.n_played == 2


def test_a_name_means_the_nearer_file_and_runs_of_both_are_kept_apart(files, tmp_path):
    options = {"games": 400, "seed": 4, "unit_deals": 100}
    units = []
    for folder in ("a", "b"):
        experiment = build_match_experiment(("mine", "ladder"), **options)
        plan = build_plan(experiment, [tmp_path / folder])
        assert plan.matchups[0].labels == ("mine", "ladder")
        units.append({unit.id for unit in plan.units})
    assert not units[0] & units[1]


def test_a_file_that_changes_while_it_is_played_is_kept_as_it_was_played(files, tmp_path):
    low, _, _ = files
    experiment = build_match_experiment((low, "ladder"), games=400, seed=4, unit_deals=100)
    plan = build_plan(experiment)
    (tmp_path / "a" / "mine.py").write_text(HIGH)
    run_plan(plan, tmp_path / "run", jobs=2)
    assert LOW in [path.read_text() for path in (tmp_path / "run" / "sources").iterdir()]
    found = verify_run(tmp_path / "run", ThreadBackend(2), n_units=None, run_sources=True)
    assert found.n_played == 2
