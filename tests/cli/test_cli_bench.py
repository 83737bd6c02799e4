"""`lcsim bench`: the same games as the reference loop in C, to the digest."""

import json
from pathlib import Path

import numpy as np
import pytest

from lcsim.cli import bench_units
from lcsim.cli.bench import digest_scores
from lcsim.cli.bench_turns import build_cases, play_turns

LADDER = json.loads((Path(__file__).parents[1] / "fixtures" / "ladder.json").read_text())["runs"]
KEYS = ["rounds", "seconds", "rounds_per_s", "mean_0", "mean_1", "digest"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("known", LADDER, ids=lambda known: str(known["rounds"]))
def test_ladder_scores_as_the_reference_does(known, jobs, run):
    words = ("--rounds", known["rounds"], "--seed", known["seed"], "--jobs", jobs, "--json")
    result = run("bench", "ladder", *words)
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert list(answer) == KEYS
    for key in ("rounds", "mean_0", "mean_1", "digest"):
        assert answer[key] == known[key]


def test_ladder_in_words(run):
    text = run("bench", "ladder", "--rounds", "1000").stdout
    assert "1,000 rounds" in text
    assert "2ff4bb806a88ac27" in text


def test_the_digest_is_fnv_1a():
    octets = b"".join(value.to_bytes(4, "little", signed=True) for value in (3, -20, 156, 0))
    state = 0xCBF29CE484222325
    for octet in octets:
        state = (state ^ octet) * 0x100000001B3 % 2**64
    assert digest_scores(np.array([[3, -20], [156, 0]], dtype=np.int32)) == f"{state:016x}"


def test_turns_of_both_games_stand_side_by_side(run):
    words = ("bench", "turns", "--rounds", "100", "--repeats", "1", "--jobs", "2")
    answer = json.loads(run(*words, "--json").stdout)
    assert answer["jobs"] == 2
    timing = answer["timing"]
    assert {one["strategy"] for one in timing} >= {"balanced", "random-legal"}
    assert [one["ruleset"] for one in timing[:2]] == ["duel", "board"]
    assert all(one["turns"] > 0 and one["one_job"] > 0 and one["all_jobs"] > 0 for one in timing)
    assert "× duel" in run(*words).stdout


def test_the_turns_counted_are_those_of_the_games():
    case = build_cases()[0]
    turns, seconds = play_turns(case, rounds=1, seed=4, jobs=1)
    again, _ = play_turns(case, rounds=1, seed=4, jobs=2)
    rows = case.game.play_deals(
        case.game.presets["duel"],
        seed=4,
        first_deal=0,
        n_deals=256,
        strategies=[case.compiled] * 2,
    )
    assert turns == again == rows["turns"].sum()
    assert seconds > 0


def test_units_of_each_size_stand_beside_the_kernel_alone(run, monkeypatch):
    monkeypatch.setattr(bench_units, "SIZES", (128, 256))
    words = ("bench", "units", "--deals", 256, "--repeats", 1)
    answer = json.loads(run(*words, "--json").stdout)
    assert answer["deals"] == 256
    tables = [(one["strategy"], one["ruleset"]) for one in answer["timing"]]
    assert tables == [(name, kind) for name in bench_units.STRATEGIES for kind in ("duel", "board")]
    for one in answer["timing"]:
        assert one["sizes"] == [128, 256]
        assert len(one["overhead"]) == 2
        assert one["default_deals"] == 8192
    lines = run(*words).stdout.splitlines()
    assert lines[0].split("  ")[0] == "deals a unit"
    assert [line.split()[0] for line in lines[2:]] == ["128", "256", "by"]
