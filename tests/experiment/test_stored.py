"""A manifest that was edited is refused, and the entry named; one as it was written is not."""

import copy
import json

import pytest

from lcsim.errors import RunDirError
from lcsim.experiment import build_plan, parse_experiment
from lcsim.experiment.identity import name_source
from lcsim.experiment.stored import check_manifest
from lcsim.runner.manifest import describe_plan
from lcsim.store.files import seal_manifest
from lcsim.store.run_dir import CIRCUMSTANCES

TEXT = """
question = "?"
seed = 5
games = 1200
rulesets = ["duel", "duel:bonus_points=0"]
strategies = ["cautious-opener:open_at=18", "ladder", "ladder@no-wagers"]
matchups = [["cautious-opener:open_at=18", "ladder"], ["ladder", "ladder@no-wagers"],
    ["cautious-opener:open_at=18", "ladder@no-wagers"], ["ladder", "ladder"]]
unit_deals = 300
forks = {games = 800}
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A run's folder as it begins, and its manifest as it is read from disk."""
    folder = tmp_path_factory.mktemp("run")
    plan = build_plan(parse_experiment(TEXT))
    (folder / "sources").mkdir()
    for strategy in plan.strategies:
        name = name_source(strategy.name, strategy.digest)
        (folder / "sources" / name).write_bytes(strategy.source.encode())
    manifest = {"lcsim_run": 2, **describe_plan(plan, run_dir=str(folder), command="lcsim run x")}
    return folder, seal(json.loads(json.dumps(manifest)))


def seal(manifest):
    """Return a manifest as it would have been written."""
    return seal_manifest(manifest, CIRCUMSTANCES)


def change(manifest, at, value):
    """Return a copy with the entry at a path changed; the value may be made of the old one."""
    changed = copy.deepcopy(manifest)
    *way, last = at
    entry = changed
    for key in way:
        entry = entry[key]
    if value is None:
        del entry[last]
    else:
        entry[last] = value(entry[last]) if callable(value) else value
    return changed


def test_a_manifest_as_it_was_written_is_accepted(written):
    folder, manifest = written
    run = check_manifest(folder, manifest)
    assert (run.seed, len(run.units), len(run.fork_units)) == (5, 16, 16)
    assert check_manifest(folder / "elsewhere", seal(manifest | {"more": 1})) == run


def test_so_is_that_of_a_run_which_ended_early(written):
    folder, manifest = written
    played = [{"n_deals": 600, "sentence": ""}] * 8
    played[0] = {"n_deals": 300, "sentence": "It is decided."}
    units = [u for u in manifest["units"] if u["first_deal"] < played[u["matchup"]]["n_deals"]]
    forks = [u for u in manifest["fork_units"] if u["matchup"] or not u["first_deal"]]
    ended = manifest | {"results": {"matchups": played}, "units": units, "fork_units": forks}
    ended = seal(ended | {"status": "finished"})
    assert len(check_manifest(folder, ended).units) == 15
    for key, lie in (("n_deals", 299), ("sentence", "It is not.")):
        with pytest.raises(RunDirError, match=r"not with its check|deals of matchup"):
            check_manifest(folder, change(ended, ("results", "matchups", 0, key), lie))


EDITS = {
    "another seed": (("seed",), 6, "seed, engine or the ids of all units"),
    "a seed in words": (("seed",), "x", 'seed: must be a whole number, not the text "x"'),
    "a seed in part": (("seed",), 5.5, "seed: must be"),
    "a seed below 0": (("seed",), -1, "seed: must be greater"),
    "a huge seed": (("seed",), 2**64, "seed: must be less"),
    "no seed": (("seed",), None, "seed: is missing"),
    "another engine": (("engine", "rules"), "0123456789ab", "seed, engine or"),
    "another version": (("engine", "lcsim"), "9.9", "seed, engine or"),
    "another kind": (("kind",), "board", "kind is 'board', and rulesets[0]"),
    "no kind of game": (("kind",), "chess", "kind: there is no game 'chess'"),
    "another state": (("status",), "done", "status: must be 'running' or 'finished'"),
    "no question": (("question",), "", "question: must not be empty"),
    "a field": (
        ("rulesets", 0, "fields", "hand_size"),
        9,
        "rulesets[0].fields.hand_size is 9, and in duel it is 8",
    ),
    "a field of another type": (
        ("rulesets", 0, "fields", "redraw_own_discard"),
        0,
        "rulesets[0].fields.redraw_own_discard is 0",
    ),
    "a field more": (("rulesets", 1, "fields", "luck"), 1, "rulesets[1].fields.luck is 1"),
    "a field fewer": (("rulesets", 1, "fields", "rounds"), None, "rulesets[1].fields.rounds is No"),
    "another ruleset": (("rulesets", 1, "spec"), "classic", "rulesets[1].fields.bonus_cards"),
    "no ruleset": (("rulesets", 1, "spec"), "duell", "rulesets[1].spec: unknown ruleset"),
    "a ruleset in other words": (
        ("rulesets", 1, "spec"),
        "duel:rounds=3,bonus_points=0",
        "rulesets[1].spec is",
    ),
    "a strategy's digest": (
        ("strategies", 1, "digest"),
        lambda d: d[::-1],
        "strategies[1]: its so",
    ),
    "a strategy's digest at its end": (
        ("strategies", 1, "digest"),
        lambda d: d[:-1] + "01"[d[-1] == "0"],
        "strategies[1] or its source sources/ladder-",
    ),
    "a strategy's parameter": (
        ("strategies", 0, "params", "open_at"),
        17.0,
        "strategies[0]: its spec 'cautious-opener:open_at=18' does not go with its params",
    ),
    "a strategy's spec": (("strategies", 0, "spec"), "cautious-opener", "strategies[0]: its label"),
    "a strategy's name": (("strategies", 1, "name"), "balanced", "strategies[1]: its source"),
    "a restriction": (("strategies", 2, "label"), "ladder", "strategies[2]: its label 'ladder'"),
    "a path out": (("strategies", 1, "source"), "../../x.py", "strategies[1].source: cannot be"),
    "a matchup's label": (("matchups", 0, "label"), "x vs y", "matchups[0].label is 'x vs y'"),
    "a matchup's labels": (
        ("matchups", 0, "labels"),
        ["ladder", "ladder"],
        "matchups[0].label is",
    ),
    "who meets": (("matchups", 0, "strategies"), [1, 0], "matchups[0].labels: "),
    "who is not there": (("matchups", 0, "strategies"), [0, 9], "there is no strategy 9"),
    "too many": (("matchups", 0, "strategies"), [0, 1, 2], "has 3 strategies and 2 labels"),
    "a matchup's ruleset": (("matchups", 0, "ruleset"), "classic", "'classic' is none of duel, "),
    "a matchup's other ruleset": (
        ("matchups", 0, "ruleset"),
        "duel:bonus_points=0",
        "matchups[0] (cautious-opener:open_at=18 vs ladder): the ids of its units do not follow",
    ),
    "rotations": (("matchups", 0, "n_rotations"), 4, "n_rotations is 4, and 2 sit down"),
    "a matchup's deals": (("matchups", 0, "n_deals"), 700, "they hold 600 of the 700 deals"),
    "deals below 0": (("units", 3, "n_deals"), -3, "units[3].n_deals: must be greater"),
    "fewer deals": (("units", 2, "n_deals"), 200, "units[3].first_deal is 300, and the deals"),
    "another deal": (("units", 2, "first_deal"), 1, "units[2].first_deal is 1"),
    "a unit's id": (("units", 3, "id"), "0" * 24, "units[3]: its id does not go with its deals"),
    "a unit's matchup": (("units", 15, "matchup"), 9, "units[15].matchup: there is no matchup 9"),
    "a unit left out": (("units", 15), None, "units: they hold 300 of the 600 deals of matchup 7"),
    "a fork's id": (("fork_units", 1, "id"), "ab", "fork_units[1]: its id does not go"),
    "a fork more": (
        ("fork_units",),
        lambda forks: [*forks, {**forks[-1], "first_deal": 400, "n_deals": 300}],
        "fork_units: they hold 700 of the 600 deals of matchup 7",
    ),
    "a command": (("files", "command"), 3, "files.command: must be a text"),
    "time": (("timing",), {"seconds": -1.0, "jobs": 1}, "timing.seconds: must be greater"),
    "a version": (("versions", "numpy"), 3, "versions.numpy: must be a text"),
    "a list of units": (("units",), {}, "units: must be a list"),
    "a question": (("question",), "Whose lie?", "go together, but not with its check"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_refused_and_named(edit, written):
    at, value, says = EDITS[edit]
    folder, manifest = written
    with pytest.raises(RunDirError) as caught:
        check_manifest(folder, change(manifest, at, value))
    assert str(folder / "run.json") in caught.value.message
    assert says in caught.value.message
    assert caught.value.exit_code == 4
    assert caught.value.hint


def test_a_strategy_whose_digest_was_changed_everywhere_is_named_by_its_units(written, tmp_path):
    _, manifest = written
    digest = "0" * 64
    changed = change(manifest, ("strategies", 1, "digest"), digest)
    changed["strategies"][1]["source"] = "ladder-00000000.py"
    with pytest.raises(RunDirError, match=r"strategies\[1\] \(ladder\): the ids of its units"):
        check_manifest(tmp_path, changed)


def test_a_kept_source_that_was_edited_is_named(written, tmp_path):
    folder, manifest = written
    name = manifest["strategies"][1]["source"]
    (tmp_path / "sources").mkdir()
    text = (folder / "sources" / name).read_text()
    for edited in (text + "\n# mine\n", "class (", "x = 1\n"):
        (tmp_path / "sources" / name).write_text(edited)
        with pytest.raises(RunDirError, match=rf"sources/{name}: they do not go together"):
            check_manifest(tmp_path, manifest)
