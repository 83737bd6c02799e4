"""Results that say little: the whole report, in every form, has sentences and no nonsense."""

import json
import re

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run
from forking import add_forks, list_forks

from lcsim.report import figures
from lcsim.report.write import write_report

NONSENSE = re.compile(r"\bNone\b|(?i:\b(nan|inf|infinity)\b)|± -")


@pytest.fixture(autouse=True)
def no_pixels(monkeypatch):
    """Draw every figure as SVG, whose text can be read; pixels say nothing and take longest."""
    monkeypatch.setattr(figures, "render_png", lambda canvas: b"")


def read_all(run):
    """Write the report and return its texts, after holding each against words of nonsense."""
    files = write_report(run)
    texts = {path.name: path.read_text("utf-8") for path in files if path.suffix != ".png"}
    for name, text in texts.items():
        found = NONSENSE.search(text)
        assert not found, (name, text[found.start() - 80 : found.end() + 40])
    return texts


def read_answers(texts):
    """Return the sentences by question, those of the first ruleset."""
    found = {}
    for answer in json.loads(texts["report.json"])["answers"]:
        assert answer["answer"].endswith(".")
        assert answer["headline"]
        found.setdefault(answer["question"], answer["answer"])
    return found


def fill(rows, values):
    """Return rows in which the columns that begin with a name hold one value."""
    rows = rows.copy()
    for name in rows.dtype.names:
        for start, value in values.items():
            if name.startswith(start):
                rows[name] = value
    return rows


NOTHING = {"score": 0, "exp": 0, "opened": 0, "held": 0}


def play(path, kind, change, *, n_deals=20):
    """Write a run of one kind of table whose rows have been changed."""
    rng = np.random.default_rng(6)
    if kind == "duel":
        rows = [draw_rows(rng, n_deals=n_deals)]
        return write_run(path, map(change, rows), labels=[("a", "a#2")])
    if kind == "board":
        labels = [("a", "b"), ("a", "b", "c")]
        rows = [draw_board_rows(rng, n_deals=n_deals, n_players=len(one)) for one in labels]
        return write_run(path, map(change, rows), labels=labels, kind="board")
    rows = [draw_rows(rng, n_deals=n_deals) for _ in range(2)]
    return write_run(
        path,
        map(change, [*rows, *rows]),
        labels=[("a", "b"), ("a", "c")] * 2,
        rulesets=["duel"] * 2 + ["duel:expedition_cost=10"] * 2,
    )


def win_always(rows):
    if "score_0" in rows.dtype.names:
        return fill(rows, {"score_0": 30, "score_1": 10})
    low = {"points": 20, "vp": 0, "artefacts": 0, "artefact_points": 0}
    return fill(fill(rows, low), {"points_0": 50})


def draw_always(rows):
    if "score_0" in rows.dtype.names:
        return fill(rows, NOTHING)
    return fill(rows, {name: 0 for name in rows.dtype.names if name[-2:-1] == "_"})


def repeat_first(rows):
    first = rows[:1].repeat(len(rows), axis=0)
    first["deal"] = rows["deal"]
    return first


@pytest.mark.parametrize("kind", ["duel", "board"])
def test_one_strategy_wins_every_game(kind, tmp_path):
    found = read_answers(read_all(play(tmp_path / "run", kind, win_always)))
    assert found["Who wins, and by how much?"].startswith("a wins 100 ± 0 % of its")


@pytest.mark.parametrize("kind", ["duel", "board", "variants"])
def test_every_game_is_drawn(kind, tmp_path):
    texts = read_all(play(tmp_path / "run", kind, draw_always))
    found = read_answers(texts)
    none_leads = "does not tell who is better" if kind == "variants" else "cannot be told apart"
    assert none_leads in found["Who wins, and by how much?"]
    assert "no game of this run differs" in texts["report.md"].lower()
    if kind != "board":
        assert "Nobody opened one" in found["What is an expedition worth?"]
    rows = json.loads(texts["report.json"])["tables"]["extremes"]
    assert rows[0]["extreme"] == "largest_margin"
    assert rows[0]["strategy"] is None
    if kind == "variants":
        assert "nothing that is counted" in found["What does the other rule change?"]


@pytest.mark.parametrize("kind", ["board", "variants"])
def test_one_deal(kind, tmp_path):
    run = play(tmp_path / "run", kind, lambda rows: rows, n_deals=1)
    found = read_answers(read_all(run))
    assert "one deal" in found["Who wins, and by how much?"]
    assert "no error" in found["Does going first matter?"]
    if kind == "variants":
        assert "± ?" in found["What is an expedition worth?"]
        assert "no error" in found["What does the other rule change?"]


@pytest.mark.parametrize("kind", ["duel", "board"])
def test_every_deal_gives_the_same(kind, tmp_path):
    texts = read_all(play(tmp_path / "run", kind, repeat_first, n_deals=2))
    assert "± 0" in texts["report.md"]


@pytest.mark.parametrize(
    ("kind", "left"),
    [("duel", slice(1, None)), ("board", slice(0, -1)), ("variants", slice(0, 1))],
)
def test_parts_are_missing(kind, left, tmp_path):
    run = play(tmp_path / "run", kind, lambda rows: rows, n_deals=100)
    parts = sorted((run / "parts").iterdir())
    for path in set(parts) - set(parts[left]):
        path.unlink()
    texts = read_all(run)
    assert "The run is not complete" in texts["report.md"]
    assert "lcsim run example.toml" in texts["report.md"]
    assert "What does the other rule change?" not in read_answers(texts)


def test_forks_of_nothing_and_of_one_wager(tmp_path):
    rows = draw_rows(np.random.default_rng(1), n_deals=12)
    for name, forks in (("none", []), ("one", [(3, 0, (10, 5), (8, 5), {})])):
        run = write_run(tmp_path / name, [rows], labels=[("a", "b")])
        read_all(add_forks(run, [list_forks(*forks)], n_deals=12))
