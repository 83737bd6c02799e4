"""Batch strategies: what they are given, what they may answer, and how a slip of theirs is told."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest

from lcsim.errors import SpecError, StrategyBrokeError, StrategyLoadError
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.rules import get_game, parse_ruleset
from lcsim.runner import run_plan
from lcsim.strategy import compile_strategy, find_strategies, load_strategy
from lcsim.testing import check_strategy

GAME = get_game("duel")
RULESET = parse_ruleset("duel:rounds=1")
HEAD = """import numpy as np
from lcsim.duel import *
class Mine(BatchStrategy):
    {inside}
    def choose_play(self, views, rngs):
        {play}
    def choose_draw(self, views, rngs):
        {draw}
"""
FIRST = "return PLAYS[legal_plays(views).argmax(axis=1)]"
PILE = "return np.full(len(views), DRAW_DECK)"
PLAY_LINE = 6


@pytest.fixture
def write_batch(tmp_path):
    """Return a function that writes a batch strategy's file and returns its path."""

    def write(play=FIRST, *, draw=PILE, inside='"""A test\'s."""'):
        path = tmp_path / "mine.py"
        path.write_text(HEAD.format(play=play, draw=draw, inside=inside), encoding="utf-8")
        return path

    return write


def play(path, *, n_deals=8, batch=1024, rival="ladder-numpy"):
    strategies = [compile_strategy(load_strategy(str(s), kind="duel")) for s in (path, rival)]
    return GAME.play_deals(
        RULESET, seed=1, first_deal=3, n_deals=n_deals, strategies=strategies, batch=batch
    )


def test_a_good_one_is_found_loaded_and_passes(write_batch):
    path = write_batch(inside='least = Param(3, low=0, high=9, help="a number")')
    loaded = load_strategy(f"{path}:least=4", kind="duel")
    assert (loaded.form, loaded.label) == ("batch", "mine:least=4")
    entry = next(one for one in find_strategies(kind="duel", folders=[path.parent]))
    assert (entry.name, entry.form, entry.status) == ("mine", "batch", "ok")
    assert check_strategy(path, kind="duel", n_games=4) == []


BAD_ANSWERS = {
    "nothing": ("x = 1", "it returned nothing; wanted is an array of"),
    "a list": ("return [1] * len(views)", "it returned a list"),
    "fractions": ("return np.zeros(len(views))", "it returned an array of float64"),
    "no number": ("return np.full(len(views), np.nan)", "it returned NaN for"),
    "truths": ("return np.ones(len(views), bool)", "it returned an array of bool"),
    "too few": ("return np.zeros(len(views) + 1, int)", "it returned an array of shape ("),
    "a column": ("return np.zeros((len(views), 1), int)", "it returned an array of shape ("),
    "no card": ("return np.full(len(views), 4000)", "4000 is not a card to lay"),
    "a huge number": (
        "return np.full(len(views), 2**63, np.uint64)",
        "it returned 9223372036854775808, which",
    ),
    "masked ones": ("return np.ma.masked_array(np.zeros(len(views), int))", "a MaskedArray;"),
}


@pytest.mark.parametrize("what", BAD_ANSWERS)
def test_an_answer_is_checked_and_its_file_and_line_are_told(write_batch, what):
    body, says = BAD_ANSWERS[what]
    path = write_batch(body)
    with pytest.raises(StrategyBrokeError) as caught:
        play(path)
    assert says in caught.value.message
    assert caught.value.message.startswith(f"{path}, line {PLAY_LINE - 1}: mine broke in round 0")
    assert (caught.value.strategy, caught.value.line) == (0, PLAY_LINE - 1)


def test_an_illegal_draw_is_told_by_the_referee(write_batch):
    with pytest.raises(StrategyBrokeError, match="3 is not a pile to draw from now") as caught:
        play(write_batch(draw="return np.full(len(views), 3)"))
    assert caught.value.replay["rounds"][-1]["turns"] is not None


RAISES = {
    "raises": ("return 1 // 0", "ZeroDivisionError"),
    "writes": ('views["hand"][:] = 0', "it wrote into its views, which it may only read"),
    "unlocks": ("views.setflags(write=True)", "cannot set WRITEABLE flag"),
    "keeps": ("self.seen = views", "a strategy keeps no state"),
    "looks beyond": ('return views["their_hand"]', "no field of name their_hand"),
}


@pytest.mark.parametrize("what", RAISES)
def test_what_it_raises_is_told_with_its_line(write_batch, what):
    body, says = RAISES[what]
    path = write_batch(body)
    with pytest.raises(StrategyBrokeError, match=says) as caught:
        play(path)
    assert (caught.value.path, caught.value.line) == (path, PLAY_LINE)
    findings = check_strategy(path, kind="duel", n_games=2)
    assert (findings[0].line, findings[0].level) == (PLAY_LINE, "error")


def test_the_game_that_breaks_is_named_among_many(write_batch):
    late = 'if (views["deck_left"] + views["hand"].sum(axis=1) % 7 == 8).any(): 1 / 0'
    path = write_batch(f"{late}\n        {FIRST}")
    with pytest.raises(StrategyBrokeError) as caught:
        play(path)
    error = caught.value
    told = error.replay
    with pytest.raises(StrategyBrokeError) as again:
        GAME.replay(
            RULESET,
            seed=1,
            deal=error.deal,
            rotation=error.rotation,
            strategies=[load_strategy(s, kind="duel").decider for s in (str(path), "ladder-numpy")],
        )
    assert again.value.message == error.message
    assert told["deal"] == error.deal
    assert "its answers depend on the batch" not in error.message


DEPENDS = {
    "raises": "if len(views) > 1: raise RuntimeError('many')",
    "plays nonsense": "if len(views) > 1: return np.full(len(views), 4000)",
}


@pytest.mark.parametrize("what", DEPENDS)
def test_what_breaks_in_a_batch_alone_is_told_as_that(write_batch, what):
    path = write_batch(f"{DEPENDS[what]}\n        {FIRST}")
    with pytest.raises(StrategyBrokeError, match="its answers depend on the batch") as caught:
        play(path)
    assert caught.value.message.startswith(f"{path}, line ")
    assert play(path, batch=1).size == 16


@pytest.mark.parametrize(
    "body",
    [
        "legal = legal_plays(views)\n        first, last = legal.argmax(axis=1), 143 - "
        "legal[:, ::-1].argmax(axis=1)\n        return PLAYS[first if len(views) < 9 else last]",
        "legal = legal_plays(views)\n        lot = random_below(rngs, 2)"
        "\n        if lot.all(): random_float(rngs)"
        "\n        last = 143 - legal[:, ::-1].argmax(axis=1)"
        "\n        return PLAYS[np.where(lot, last, legal.argmax(axis=1))]",
    ],
    ids=["looks at its neighbors", "draws for all where one needs it"],
)
def test_answers_that_depend_on_the_batch_are_found(write_batch, body):
    findings = check_strategy(write_batch(body), kind="duel", n_games=8)
    assert "with other views beside it" in findings[0].what


def test_a_compiled_rival_that_breaks_is_named(write_strategy):
    rival = write_strategy("theirs", lay="return 1 // (view.deck_left - 30)", class_name="Theirs")
    with pytest.raises(StrategyBrokeError, match="theirs broke") as caught:
        play("ladder-numpy", rival=rival)
    assert (caught.value.strategy, caught.value.path) == (1, rival)


def test_rngs_are_one_stream_a_view(write_batch):
    body = "assert len(rngs) == len(views) == len(random_float(rngs))"
    path = write_batch(f"{body}\n        {FIRST}")
    assert play(path).size == 16


def save(path, **arrays):
    np.savez(path.with_name("mine.npz"), **arrays)
    return path


WITH_NET = 'net = Weights("mine.npz")'
BY_NET = 'return PLAYS[(legal_plays(views) * self.net["bias"]).argmax(axis=1)]'


def test_weights_lie_beside_the_file_and_decide_with_it(write_batch):
    path = save(write_batch(BY_NET, inside=WITH_NET), bias=np.arange(1, 145))
    one = load_strategy(str(path), kind="duel")
    rows = play(path)
    save(path, bias=np.arange(145, 1, -1))
    other = load_strategy(str(path), kind="duel")
    assert one.digest != other.digest
    assert rows.tobytes() != play(path).tobytes()
    assert one.instance.net["bias"].tolist() == list(range(1, 145))
    with pytest.raises(ValueError, match="read-only"):
        one.instance.net["bias"][0] = 9
    with pytest.raises(ValueError, match="WRITEABLE"):
        one.instance.net["bias"].setflags(write=True)


def make_pickle():
    out = io.BytesIO()
    np.savez(out, bias=np.array([{}], object))
    return out.getvalue()


def make_npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def make_header(n):
    """Return a file that claims to hold n numbers, and ends there."""
    head, out = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (n,)}
    )
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("bias.npy", head.getvalue())
    return out.getvalue()


BAD_WEIGHTS = {
    "missing": (None, "cannot be read: No such file"),
    "no archive": (b"weights", "cannot be used"),
    "cut short": (make_npz(bias=np.arange(99))[:-40], "cannot be used"),
    "a pickle": (pickle.dumps({}), "cannot be used"),
    "pickled inside": (make_pickle(), "Object arrays cannot be loaded"),
    "words": (make_npz(bias=np.array(["a"])), "an array of <U1, not of numbers"),
    "too much by its own account": (make_header(10**12), "take 8,000,000,000,000 bytes, of 268"),
    "not finite": (make_npz(bias=np.array([1.0, np.nan])), "not finite"),
}


@pytest.mark.parametrize("what", BAD_WEIGHTS)
def test_weights_that_cannot_be_used_are_refused_by_name(write_batch, what):
    data, says = BAD_WEIGHTS[what]
    path = write_batch(BY_NET, inside=WITH_NET)
    if data is not None:
        path.with_name("mine.npz").write_bytes(data)
    with pytest.raises(StrategyLoadError, match=says) as caught:
        load_strategy(str(path), kind="duel")
    assert f"{path}, line 3: Mine.net: the weights mine.npz" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("what", ["a pipe", "a device", "a folder"])
def test_weights_that_are_no_file_are_not_read(what, write_batch):
    path = write_batch(BY_NET, inside=WITH_NET)
    target = path.with_name("mine.npz")
    if what == "a pipe":
        os.mkfifo(target)
    elif what == "a device":
        target.symlink_to("/dev/zero")
    else:
        target.mkdir()
    with pytest.raises(StrategyLoadError, match=r"mine\.npz cannot be read: it is not a file"):
        load_strategy(str(path), kind="duel")


def test_no_more_of_weights_is_read_than_is_allowed(write_batch, monkeypatch):
    monkeypatch.setattr("lcsim.strategy.weights.MOST_BYTES", 100)
    path = write_batch(BY_NET, inside=WITH_NET)
    path.with_name("mine.npz").write_bytes(bytes(2**20 + 101))
    with pytest.raises(StrategyLoadError, match="take 1,048,677 bytes, of 100 allowed"):
        load_strategy(str(path), kind="duel")


def test_an_array_that_is_not_there_is_told_with_those_that_are(write_batch):
    path = save(write_batch(BY_NET, inside=WITH_NET), other=np.ones(144))
    with pytest.raises(StrategyBrokeError, match=r"mine\.npz have no 'bias' but 'other'") as caught:
        play(path)
    assert caught.value.line == PLAY_LINE


@pytest.mark.parametrize("name", ["../mine.npz", "/etc/mine.npz", "mine.pkl", "a\\b.npz"])
def test_weights_lie_in_the_folder_of_the_strategy(write_batch, name):
    path = write_batch(inside=f"net = Weights({name!r})")
    with pytest.raises(StrategyLoadError, match=r"is not the name of a \.npz file"):
        load_strategy(str(path), kind="duel")


def test_a_compiled_strategy_has_no_weights(write_strategy):
    with pytest.raises(StrategyLoadError, match="which a compiled strategy cannot read"):
        load_strategy(str(write_strategy(inside=WITH_NET)), kind="duel")


def build(path):
    experiment = build_match_experiment(
        [str(path), "ladder-numpy"], "duel", games=40, seed=3, unit_deals=8
    )
    return build_plan(experiment)


def test_a_run_keeps_the_weights_and_notices_others(write_batch, tmp_path):
    path = save(write_batch(BY_NET, inside=WITH_NET), bias=np.arange(1, 145))
    data = path.with_name("mine.npz").read_bytes()
    results = [run_plan(build(path), tmp_path / f"run{jobs}", jobs=jobs) for jobs in (1, 2)]
    assert results[0].matchups == results[1].matchups
    parts = [sorted((tmp_path / f"run{jobs}" / "parts").iterdir()) for jobs in (1, 2)]
    assert [p.read_bytes() for p in parts[0]] == [p.read_bytes() for p in parts[1]]
    kept = list((tmp_path / "run1" / "sources").glob("mine-*.npz"))
    assert [one.read_bytes() for one in kept] == [data]
    save(path, bias=np.arange(2, 146))
    with pytest.raises(Exception, match="has changed since it began"):
        run_plan(build(path), tmp_path / "run1")


def test_a_broken_one_is_told_with_the_command_that_replays(write_batch, tmp_path):
    with pytest.raises(StrategyBrokeError) as caught:
        run_plan(build(write_batch("return 1 // 0")), None)
    assert "lcsim replay" in caught.value.hint
    assert "--deal 0" in caught.value.hint


def test_a_missing_file_is_no_weights(tmp_path):
    with pytest.raises(SpecError):
        load_strategy(str(tmp_path / "none.py"), kind="duel")
