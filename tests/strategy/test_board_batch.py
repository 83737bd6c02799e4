"""Batch strategies of the board game: what they may answer, and how a slip of theirs is told."""

import numpy as np
import pytest

from lcsim.errors import StrategyBrokeError, StrategyLoadError
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.rules import get_game, parse_ruleset
from lcsim.runner import run_plan
from lcsim.strategy import compile_strategy, find_strategies, load_strategy
from lcsim.testing import check_strategy

GAME = get_game("board")
RULESET = parse_ruleset("board-short:step_tiles=18,artefact_tiles=0")
HEAD = """import numpy as np
from lcsim.board import *
class Mine(BatchStrategy):
    {inside}
    def choose_play(self, views, rngs):
        {play}
    def choose_draw(self, views, rngs):
        {draw}
    def choose_step(self, views, rngs):
        {step}
"""
FIRST = "return PLAYS[legal_plays(views).argmax(axis=1)]"
PILE = "return np.full(len(views), DRAW_DECK)"
STAY = "return np.full(len(views), NO_STEP)"
LINES = {"play": 6, "draw": 8, "step": 10}
RIVALS = ("all-paths-numpy", "steady", "racer")


@pytest.fixture
def write_batch(tmp_path):
    """Return a function that writes a batch strategy's file and returns its path."""

    def write(play=FIRST, *, draw=PILE, step=STAY, inside='"""A test\'s."""'):
        path = tmp_path / "mine.py"
        text = HEAD.format(play=play, draw=draw, step=step, inside=inside)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def play(path, *, n_deals=8, n_players=2, place=0, **options):
    """Play deals with a strategy at a place among rivals."""
    specs = [*RIVALS[: n_players - 1]]
    specs.insert(place, str(path))
    strategies = [compile_strategy(load_strategy(spec, kind="board")) for spec in specs]
    return GAME.play_deals(
        RULESET, seed=1, first_deal=3, n_deals=n_deals, strategies=strategies, **options
    )


@pytest.mark.parametrize("n_players", GAME.player_counts)
def test_a_good_one_is_found_loaded_and_passes(write_batch, n_players):
    path = write_batch(inside='least = Param(3, low=0, high=9, help="a number")')
    loaded = load_strategy(f"{path}:least=4", kind="board")
    assert (loaded.form, loaded.label) == ("batch", "mine:least=4")
    entry = next(one for one in find_strategies(kind="board", folders=[path.parent]))
    assert (entry.name, entry.form, entry.status) == ("mine", "batch", "ok")
    assert play(path, n_players=n_players).shape == (8, n_players, 1)


def test_the_conformance_suite_passes_a_good_one(write_batch):
    assert check_strategy(write_batch(), kind="board", n_games=3) == []


BAD_ANSWERS = {
    "nothing": ("x = 1", "it returned nothing; wanted is an array of"),
    "a list": ("return [1] * len(views)", "it returned a list"),
    "fractions": ("return np.zeros(len(views))", "it returned an array of float64"),
    "no number": ("return np.full(len(views), np.nan)", "it returned NaN for"),
    "truths": ("return np.ones(len(views), bool)", "it returned an array of bool"),
    "too few": ("return np.zeros(len(views) + 1, int)", "it returned an array of shape ("),
    "a column": ("return np.zeros((len(views), 1), int)", "it returned an array of shape ("),
    "no move": ("return np.full(len(views), 4000)", "4000 is not"),
    "a huge number": ("return np.full(len(views), 2**63, np.uint64)", "is not"),
}


@pytest.mark.parametrize("decision", LINES)
@pytest.mark.parametrize("what", BAD_ANSWERS)
def test_an_answer_is_checked_and_its_file_and_line_are_told(write_batch, what, decision):
    body, says = BAD_ANSWERS[what]
    path = write_batch(**{decision: body})
    with pytest.raises(StrategyBrokeError) as caught:
        play(path, n_players=3, place=1)
    assert says in caught.value.message
    line = LINES[decision] - 1
    assert caught.value.message.startswith(f"{path}, line {line}: mine broke in round 0")
    assert f"(choose_{decision})" in caught.value.message
    assert (caught.value.strategy, caught.value.line) == (1, line)
    assert caught.value.replay["rounds"][-1]["turns"] is not None


ILLEGAL = {
    "a leader that is gone": ("play", "return LEADER + PLAYS[legal_plays(views).argmax(axis=1)]"),
    "an empty pile": ("draw", "return np.full(len(views), 3)"),
    "a pawn that cannot move": ("step", "return (views['movable'][:, None] >> np.arange(5) & 1)."
                                        "argmin(axis=1)"),
}  # fmt: skip


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("what", ILLEGAL)
def test_an_illegal_move_is_told_by_the_referee(write_batch, what, n_players):
    decision, body = ILLEGAL[what]
    place = n_players - 1
    path = write_batch(**{decision: body})
    with pytest.raises(StrategyBrokeError) as caught:
        play(path, n_players=n_players, place=place, n_deals=40)
    error = caught.value
    assert f"(choose_{decision})" in error.message
    assert (error.strategy, error.path) == (place, path)
    assert error.replay["deal"] == error.deal
    assert error.replay["rounds"][-1]["turns"] is not None
    assert "its answers depend on the batch" not in error.message


RAISES = {
    "raises": ("return 1 // 0", "ZeroDivisionError"),
    "writes": ('views["tiles"][:] = 0', "it wrote into its views, which it may only read"),
    "unlocks": ("views.setflags(write=True)", "cannot set WRITEABLE flag"),
    "keeps": ("self.seen = views", "a strategy keeps no state"),
    "looks beyond": ('return views["their_hand"]', "no field of name their_hand"),
}


@pytest.mark.parametrize("decision", LINES)
@pytest.mark.parametrize("what", RAISES)
def test_what_it_raises_is_told_with_its_line(write_batch, what, decision):
    body, says = RAISES[what]
    path = write_batch(**{decision: body})
    with pytest.raises(StrategyBrokeError, match=says) as caught:
        play(path)
    assert (caught.value.path, caught.value.line) == (path, LINES[decision])


@pytest.mark.parametrize("what", RAISES)
def test_a_check_finds_what_it_raises(write_batch, what):
    findings = check_strategy(write_batch(step=RAISES[what][0]), kind="board", n_games=3)
    assert (findings[0].line, findings[0].level) == (LINES["step"], "error")
    assert findings[0].what.startswith("with 2 players: mine broke in round 0")


def test_the_game_that_breaks_is_named_among_many(write_batch):
    late = 'if (views["deck_left"] + views["hand"].sum(axis=1) % 7 == 30).any(): 1 / 0'
    path = write_batch(f"{late}\n        {FIRST}")
    with pytest.raises(StrategyBrokeError) as caught:
        play(path, n_players=3)
    error = caught.value
    specs = (str(path), *RIVALS[:2])
    with pytest.raises(StrategyBrokeError) as again:
        GAME.replay(
            RULESET,
            seed=1,
            deal=error.deal,
            rotation=error.rotation,
            strategies=[load_strategy(spec, kind="board").decider for spec in specs],
        )
    assert again.value.message == error.message
    assert error.replay["deal"] == error.deal


DEPENDS = {
    "raises": "if len(views) > 1: raise RuntimeError('many')",
    "plays nonsense": "if len(views) > 1: return np.full(len(views), 4000)",
}


@pytest.mark.parametrize("decision", LINES)
@pytest.mark.parametrize("what", DEPENDS)
def test_what_breaks_in_a_batch_alone_is_told_as_that(write_batch, what, decision):
    good = {"play": FIRST, "draw": PILE, "step": STAY}[decision]
    path = write_batch(**{decision: f"{DEPENDS[what]}\n        {good}"})
    with pytest.raises(StrategyBrokeError, match="its answers depend on the batch") as caught:
        play(path, n_deals=60)
    assert caught.value.message.startswith(f"{path}, line ")
    assert f"(choose_{decision})" in caught.value.message
    assert play(path, batch=1).size == 16


@pytest.mark.parametrize("decision", ["draw", "step"])
def test_answers_that_depend_on_the_batch_are_found(write_batch, decision):
    legal = f"legal = legal_{decision}s(views)"
    moves = f"{decision.upper()}S"
    body = (
        f"{legal}\n        last = 5 - legal[:, ::-1].argmax(axis=1)"
        f"\n        return {moves}[last] if len(views) % 2 else {moves}[0 * last]"
    )
    findings = check_strategy(write_batch(**{decision: body}), kind="board", n_games=9)
    assert "with other views beside it" in findings[0].what


@pytest.mark.parametrize("place", [0, 1])
def test_a_compiled_rival_that_breaks_is_named(tmp_path, place):
    rates = ("lay", "discard", "draw", "open_with_leader")
    text = "".join(f"    def {name}(self, view, card): return 1\n" for name in rates)
    step = "    def step(self, view, color): return 1 // (view.turn - view.turn)\n"
    path = tmp_path / "theirs.py"
    path.write_text(f"from lcsim.board import *\nclass Theirs(Strategy):\n{text}{step}")
    with pytest.raises(StrategyBrokeError, match="theirs broke") as caught:
        play(path, place=place)
    assert (caught.value.strategy, caught.value.path) == (place, path)
    assert caught.value.line == 7


def test_rngs_are_one_stream_a_view(write_batch):
    body = "assert len(rngs) == len(views) == len(random_float(rngs))"
    whole = {"play": FIRST, "draw": PILE, "step": STAY}
    path = write_batch(**{name: f"{body}\n        {rest}" for name, rest in whole.items()})
    assert play(path).size == 16


def test_all_three_decisions_are_wanted(tmp_path):
    path = tmp_path / "mine.py"
    text = HEAD.format(play=FIRST, draw=PILE, step=STAY, inside="pass")
    path.write_text(text.partition("    def choose_step")[0])
    with pytest.raises(StrategyLoadError, match="Mine lacks choose_step") as caught:
        load_strategy(str(path), kind="board")
    assert "choose_play, choose_draw, choose_step" in caught.value.hint


def test_weights_decide_with_the_file(write_batch):
    inside = 'net = Weights("mine.npz")'
    path = write_batch(
        'return PLAYS[(legal_plays(views) * self.net["bias"]).argmax(axis=1)]', inside=inside
    )
    rows = []
    for bias in (np.arange(1, 166), np.arange(166, 1, -1)):
        np.savez(path.with_name("mine.npz"), bias=bias)
        rows.append(play(path))
    assert rows[0].tobytes() != rows[1].tobytes()


def build(path, **options):
    experiment = build_match_experiment(
        [str(path), *RIVALS[:2]], "board-short", games=60, seed=3, **options
    )
    return build_plan(experiment)


def test_neither_jobs_nor_units_change_a_row(tmp_path):
    results = [
        run_plan(build("random-legal", unit_deals=unit), tmp_path / f"run{jobs}-{unit}", jobs=jobs)
        for jobs, unit in ((1, 5), (2, 5), (1, 20))
    ]
    assert results[0].matchups == results[1].matchups == results[2].matchups
    parts = [sorted((tmp_path / f"run{jobs}-5" / "parts").iterdir()) for jobs in (1, 2)]
    assert [p.name for p in parts[0]] == [p.name for p in parts[1]]
    assert len(parts[0]) == 4
    assert [p.read_bytes() for p in parts[0]] == [p.read_bytes() for p in parts[1]]


@pytest.mark.parametrize("decision", LINES)
def test_a_broken_one_is_told_with_the_command_that_replays(write_batch, decision):
    path = write_batch(**{decision: "return 1 // 0"})
    with pytest.raises(StrategyBrokeError) as caught:
        run_plan(build(path), None)
    assert f"lcsim replay {path} {' '.join(RIVALS[:2])}" in caught.value.hint
    assert f"--deal {caught.value.deal}" in caught.value.hint
