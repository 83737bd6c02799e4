"""A run played again: the same bytes, or the unit that differs; the folder is data meanwhile."""

import shutil

import numpy as np
import polars as pl
import pytest

from lcsim.errors import PartError, RunDirError, UsageError
from lcsim.experiment import build_plan, parse_experiment, rebuild
from lcsim.runner import run_plan, verify
from lcsim.runner.backends import ThreadBackend
from lcsim.runner.verify import verify_run
from lcsim.shipped import find_shipped
from lcsim.store import open_run, read_part, write_part
from lcsim.store.parts import encode_part

DUEL = """
question = "?"
games = 400
rulesets = ["duel", "duel:bonus_points=0"]
strategies = ["ladder", "cautious-opener:open_at=18", "random-legal@no-wagers"]
unit_deals = 50
forks = {games = 100}
"""
BOARD = """
question = "?"
games = 60
players = 3
rulesets = ["board-short"]
strategies = ["steady", "racer:paths=3", "random-legal"]
unit_deals = 5
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two finished runs, never changed; and the same of the duel with a strategy of one's own."""
    folder = tmp_path_factory.mktemp("runs")
    mine = folder / "own" / "duel" / "my_ladder.py"
    mine.parent.mkdir(parents=True)
    source = (find_shipped("strategies") / "duel" / "ladder.py").read_text(encoding="utf-8")
    mine.write_text(source.replace("class Ladder", "class MyLadder"))
    own = f'question = "?"\ngames = 100\nunit_deals = 25\nstrategies = ["{mine}", "ladder"]'
    for name, text in (("duel", DUEL), ("board", BOARD), ("own", own)):
        run_plan(build_plan(parse_experiment(text)), folder / f"{name}.run", jobs=2)
    return folder


@pytest.fixture
def copy_run(runs, tmp_path):
    """Return a copier of a run, to be changed."""
    return lambda name: shutil.copytree(runs / f"{name}.run", tmp_path / f"{name}.run")


def check(folder, **options):
    return verify_run(folder, ThreadBackend(2), **{"n_units": None, **options})


def read_all(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(("name", "n_units", "n_forks"), [("duel", 24, 6), ("board", 4, 0)])
def test_a_sound_run_is_found_so_and_not_touched(runs, name, n_units, n_forks):
    before = read_all(runs / f"{name}.run")
    found = check(runs / f"{name}.run")
    assert (found.n_stored, found.n_forks_stored) == (n_units, n_forks)
    assert (found.n_played, found.n_forks_played) == (n_units, n_forks)
    assert (found.n_missing, found.n_strangers, found.n_rewritten) == (0, 0, 0)
    assert found.is_same_engine
    assert {place for _, place in found.strategies} == {"shipped"}
    assert read_all(runs / f"{name}.run") == before


def test_a_sample_has_forks_too_and_is_drawn_by_its_seed(runs, monkeypatch):
    chosen = []
    original = verify._play
    monkeypatch.setattr(verify, "_play", lambda *words: chosen.append(words[1]) or original(*words))
    for seed in (1, 1, 2):
        found = check(runs / "duel.run", n_units=5, seed=seed)
        assert (found.n_played, found.n_forks_played) == (4, 1)
    assert chosen[0] == chosen[1] != chosen[2]
    assert check(runs / "duel.run", n_units=1).n_played == 1


def test_a_changed_row_is_named_though_its_checksum_is_right(copy_run):
    folder = copy_run("duel")
    path = open_run(folder).list_parts()[5]
    part = read_part(path)
    rows = part.rows.copy()
    rows["score_1"][7] += 10
    write_part(path, rows, matchup=part.matchup, ruleset=part.ruleset)
    with pytest.raises(PartError) as caught:
        check(folder)
    assert caught.value.exit_code == 4
    old, place = part.rows["score_1"][7], part.rows[7]
    assert f"1 of 30 units played again differ: {path}: in deal {place['deal']}" in str(
        caught.value
    )
    assert f"its score_1 is {old + 10}, and played again it is {old}" in caught.value.message
    assert "changed after it was played" in caught.value.hint


def test_other_rows_texts_and_bytes_are_told_apart(copy_run):
    folder = copy_run("board")
    paths = open_run(folder).list_parts()
    part = read_part(paths[0])
    texts = {"matchup": part.matchup, "ruleset": part.ruleset}
    frame = pl.read_parquet(paths[2]).with_columns(pl.lit("x").alias("matchup"))
    write_part(paths[0], part.rows[:-1], **texts)
    write_part(paths[1], np.flip(read_part(paths[1]).rows), **texts)
    write_part(paths[2], read_part(paths[2]).rows, **{**texts, "matchup": frame["matchup"][0]})
    with pytest.raises(PartError, match="3 of 4 units played again differ") as caught:
        check(folder)
    assert f"{paths[0]}: it has 14 rows, and played again there are 15" in caught.value.message
    assert f"{paths[1]}: in deal 5, rotation 0, round 0 its deal is 9" in caught.value.message
    assert f"{paths[2]}: it says that it is x under" in caught.value.message


@pytest.mark.parametrize("is_same_polars", [True, False])
def test_the_same_rows_in_other_bytes(copy_run, monkeypatch, is_same_polars):
    folder = copy_run("board")
    path = open_run(folder).list_parts()[1]
    part = read_part(path)
    original = pl.DataFrame.write_parquet
    monkeypatch.setattr(
        pl.DataFrame,
        "write_parquet",
        lambda frame, file, **options: original(frame, file, **{**options, "compression": "zstd"}),
    )
    data = encode_part(part.rows, unit=path.stem, matchup=part.matchup, ruleset=part.ruleset)
    monkeypatch.undo()
    assert data != path.read_bytes()
    path.write_bytes(data)
    if is_same_polars:
        with pytest.raises(PartError, match="the same rows in other bytes"):
            check(folder)
        return
    monkeypatch.setattr(verify, "version", lambda _: "99")
    assert check(folder).n_rewritten == 1


def test_damage_is_found_in_parts_that_are_not_drawn(copy_run):
    folder = copy_run("board")
    path = open_run(folder).list_parts()[3]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for seed in range(3):
        with pytest.raises(PartError, match=f"{path.name} is damaged"):
            check(folder, n_units=1, seed=seed)
    path.unlink()
    with pytest.raises(PartError, match=f"{path.name} is missing"):
        check(folder, n_units=1)


def test_a_run_under_way_is_verified_as_far_as_it_is(copy_run):
    folder = copy_run("board")
    run = open_run(folder)
    run.write_manifest({**run.manifest, "status": "running", "results": None})
    stranger = folder / "parts" / "stranger.parquet"
    run.list_parts()[0].rename(stranger)
    found = check(folder)
    assert (found.n_played, found.n_missing, found.n_strangers) == (3, 1, 1)
    for path in run.list_parts():
        path.unlink()
    with pytest.raises(PartError, match="nothing to verify"):
        check(folder)


def test_a_foreign_source_is_not_run_without_leave(copy_run, runs, monkeypatch):
    folder = copy_run("own")
    original, loaded = rebuild.load_class, []

    def spy(path, *words, **options):
        loaded.append(path)
        return original(path, *words, **options)

    monkeypatch.setattr(rebuild, "load_class", spy)
    with pytest.raises(UsageError, match="foreign code") as caught:
        check(folder)
    kept = next((folder / "sources").glob("my-ladder-*.py"))
    assert str(kept) in caught.value.message
    assert "--run-sources" in caught.value.hint
    assert not any(path.is_relative_to(folder) for path in loaded)
    found = check(folder, run_sources=True)
    assert [place for _, place in found.strategies] == ["the run itself", "shipped"]
    assert kept in loaded
    known = check(folder, folders=[runs / "own"])
    assert [place for _, place in known.strategies] == ["folder", "shipped"]


def test_what_lies_in_the_run_is_no_file_of_ones_own(copy_run, runs, monkeypatch):
    folder = copy_run("own")
    shutil.copytree(runs / "own", folder / "strategies")
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match="foreign code"):
        check(folder)
    with pytest.raises(UsageError, match="foreign code"):
        check(folder, folders=[folder / "strategies"])


def test_a_source_that_is_missing_or_that_no_strategy_may_be_is_refused(copy_run):
    folder = copy_run("own")
    kept = next((folder / "sources").glob("my-ladder-*.py"))
    text = kept.read_text()
    kept.write_text(text.replace("import", "import os\nimport", 1))
    with pytest.raises(RunDirError, match="do not go together"):
        check(folder, run_sources=True)
    kept.unlink()
    with pytest.raises(RunDirError, match="cannot be read"):
        check(folder, run_sources=True)


def test_other_code_of_the_rules_is_told(copy_run, monkeypatch):
    folder = copy_run("board")
    monkeypatch.setattr(verify, "digest_rules", lambda: "0" * 12)
    assert not check(folder).is_same_engine
    path = open_run(folder).list_parts()[0]
    part = read_part(path)
    write_part(path, part.rows[1:], matchup=part.matchup, ruleset=part.ruleset)
    with pytest.raises(PartError, match=r"played by lcsim .* with other code of the rules"):
        check(folder)
