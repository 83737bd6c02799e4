"""When expeditions were opened, and on what: hand-worked rows, plain sums, and what is said."""

import re

import numpy as np
import pandas as pd
import pytest
from conftest import draw_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.duel_columns import HELD, TURNS
from lcsim.report.duel_frames import (
    summarise_by_both,
    summarise_by_cards,
    summarise_by_held,
    summarise_by_opened,
    summarise_by_turn,
    summarise_by_wagers,
    summarise_expeditions,
    summarise_openings,
)
from lcsim.report.duel_openings import OPENING
from lcsim.report.duel_tally import ExpeditionTally
from lcsim.report.export import render_json
from lcsim.report.markdown import render_markdown
from lcsim.report.tally import Play
from lcsim.rules.duel.outcome import ROW_DTYPE, settle_games
from lcsim.rules.duel.ruleset import PRESETS
from lcsim.rules.duel.scoring import build_score_table

COLORS = "RGWBY"
SUMMARIES = (
    summarise_expeditions,
    summarise_by_wagers,
    summarise_by_cards,
    summarise_by_both,
    summarise_by_turn,
    summarise_by_held,
    summarise_by_opened,
    summarise_openings,
)


def count(rows, labels=("a", "b"), *, cuts=()):
    """Return the tally of one matchup, its deals cut into segments."""
    tally = ExpeditionTally(PRESETS["duel"])
    for part in np.split(rows, cuts):
        tally.add(Play(0, labels, part, *settle_games(part)))
        tally.close_segment()
    return tally


def lay(rows, at, number, color, *, ranks, turn, held, wagers=0):
    """Write an expedition into the round `at` (deal, rotation, round) of strategy `number`."""
    mask = (1 << wagers) - 1 | sum(1 << rank + 1 for rank in ranks)
    for name, value in (("exp", mask), ("opened", turn), ("held", held)):
        rows[f"{name}_{number}_{color}"][at] = value


@pytest.fixture
def by_hand():
    """Two deals of a: 14 points and -18 and 7 in one round on the first, -10 on the second."""
    rows = np.zeros((2, 2, 3), ROW_DTYPE)
    lay(rows, (0, 0, 0), 0, "R", ranks=(7, 8, 9, 10), turn=1, held=34)
    lay(rows, (0, 1, 2), 0, "G", ranks=(2,), turn=46, held=2)
    lay(rows, (0, 1, 2), 0, "B", ranks=(8, 9, 10), turn=8, held=22)
    lay(rows, (1, 0, 1), 0, "R", ranks=(10,), turn=4, held=10)
    return rows


def read(frame, key):
    """Return the kinds that occurred: (mean score, error, chance of profit, number)."""
    seen = frame[frame["n_expeditions"] > 0].set_index(key)
    columns = ["score", "score_se", "profit", "n_expeditions"]
    return {name: tuple(row) for name, row in seen[columns].iterrows()}


def test_by_turn_by_hand(by_hand):
    found = read(summarise_by_turn(count(by_hand), ["a"]), "turn")
    # Turns 1 to 4: 14 on one deal, -10 on the other, so a mean of 2 and a standard error of 12.
    assert found["1–4"] == (2, pytest.approx(12), 0.5, 2)
    assert found["5–8"][::2] == (7, 1)
    assert found["45+"][::2] == (-18, 0)
    assert list(found) == ["1–4", "5–8", "45+"]


def test_by_opened_by_hand(by_hand):
    frame = summarise_by_opened(count(by_hand), ["a"])
    found = read(frame, "opened")
    assert found[1] == (2, pytest.approx(12), 0.5, 2)
    assert found[2][::2] == (-5.5, 0.5)
    assert frame["n_rounds"].tolist() == [2, 1, 0, 0, 0]


def test_by_held_and_break_even_by_hand(by_hand):
    tally = count(by_hand)
    frame = summarise_by_held(tally, ["a"])
    found = read(frame, "held")
    scores = {name: row[0] for name, row in found.items()}
    assert scores == {"1–3": -18, "10–12": -10, "22–24": 7, "34+": 14}
    assert frame["held_mean"].dropna().tolist() == [2, 10, 22, 34]
    row = summarise_openings(tally, ["a"]).iloc[0]
    assert row["pays"] == "unclear"  # each band has one deal
    assert pd.isna(row["break_even"])
    assert pd.isna(row["break_even_ci95_lo"])
    assert (row["turn"], row["held"]) == ((1 + 46 + 8 + 4) / 4, (34 + 2 + 22 + 10) / 4)


def test_a_break_even_by_hand(by_hand):
    both = np.concatenate([by_hand[:1], by_hand[:1]])
    tally = count(np.concatenate([both, by_hand[1:], by_hand[1:]]))
    row = summarise_openings(tally, ["a"]).iloc[0]
    # The line from -10 at 10 points to 7 at 22 meets 0 after 10 parts of 17; nothing varies.
    assert row["pays"] == "from"
    for name in ("break_even", "break_even_ci95_lo", "break_even_ci95_hi"):
        assert row[name] == pytest.approx(10 + 12 * 10 / 17)


def test_the_ends_of_bands():
    assert TURNS.list_names()[:2] == ["1–4", "5–8"]
    assert TURNS.list_names()[-1] == "45+"
    assert HELD.list_names()[:3] == ["0", "1–3", "4–6"]
    assert HELD.name(0, 2) == "0–6"
    assert HELD.name(11, 12) == "31+"
    for bands in (TURNS, HELD):
        table = bands.build_table()
        assert [int(table[low]) for low in bands.lows] == list(range(len(bands)))
        assert [int(table[low - 1]) for low in bands.lows[1:]] == list(range(len(bands) - 1))


def list_expeditions(rows, number):
    """Return one row an expedition: deal, turn, points held, opened in the round, and points."""
    table = build_score_table(PRESETS["duel"])
    found = []
    for at in np.ndindex(rows.shape):
        row = rows[at]
        laid = [color for color in COLORS if row[f"exp_{number}_{color}"]]
        for color in laid:
            kept = (int(row[f"{name}_{number}_{color}"]) for name in ("opened", "held"))
            points = int(table[row[f"exp_{number}_{color}"]])
            found.append((at[0], *kept, len(laid), points))
    return pd.DataFrame(found, columns=["deal", "turn", "held", "opened", "points"])


@pytest.fixture(scope="module")
def rows():
    return draw_rows(np.random.default_rng(6), n_deals=60)


def test_against_one_by_one(rows):
    tally = count(rows)
    listed = list_expeditions(rows, 1)
    chosen = {
        "turn": (summarise_by_turn, "9–12", listed["turn"].between(9, 12)),
        "held": (summarise_by_held, "10–12", listed["held"].between(10, 12)),
        "opened": (summarise_by_opened, 4, listed["opened"] == 4),
    }
    for key, (summarise, name, which) in chosen.items():
        row = summarise(tally, ["b"]).set_index(key).loc[name]
        own = listed[which]
        deals = own.groupby("deal")["points"].agg(["sum", "count"]).reindex(range(60), fill_value=0)
        mean = own["points"].mean()
        residuals = deals["sum"] - mean * deals["count"]
        error = np.sqrt(60 / 59 * (residuals**2).sum()) / len(own)
        assert (row["score"], row["score_se"]) == (pytest.approx(mean), pytest.approx(error)), key
        assert row["profit"] == pytest.approx((own["points"] > 0).mean()), key
        assert row["n_expeditions"] == len(own), key
    for summarise in (summarise_by_turn, summarise_by_held, summarise_by_opened):
        assert summarise(tally, ["b"])["n_expeditions"].sum() == len(listed)
    means = summarise_openings(tally, ["b"]).iloc[0]
    assert (means["turn"], means["held"]) == (
        pytest.approx(listed["turn"].mean()),
        pytest.approx(listed["held"].mean()),
    )


@pytest.mark.parametrize("seed", range(4))
def test_segments_merge_in_any_order_and_size(rows, seed):
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(np.arange(1, 60), size=5, replace=False))
    parts = [count(part) for part in np.split(rows, cuts)]
    rng.shuffle(parts)
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    whole = count(rows)
    for summarise in SUMMARIES:
        for other in (merged, count(rows, cuts=cuts)):
            assert summarise(other, ["a", "b"]).equals(summarise(whole, ["a", "b"]))


def swap(rows):
    """Return the rows with strategies 0 and 1 renumbered."""
    swapped = rows.copy()
    for name in rows.dtype.names:
        head, _, tail = name.partition("_")
        if tail and tail[0] in "01":
            swapped[name] = rows[f"{head}_{1 - int(tail[0])}{tail[1:]}"]
    return swapped


def test_renumbering_strategies_changes_no_number(rows):
    first, second = count(rows), count(swap(rows), ("b", "a"))
    for summarise in SUMMARIES:
        assert summarise(first, ["a", "b"]).equals(summarise(second, ["a", "b"]))
        turned = summarise(first, ["b", "a"])
        assert set(map(str, turned.to_dict("records"))) == set(
            map(str, summarise(first, ["a", "b"]).to_dict("records"))
        )


def test_many_matchups_are_one_sum(rows):
    """A strategy's expeditions on a deal are added up over its matchups before any error."""
    once = count(np.concatenate([rows, swap(rows)], axis=1))
    twice = ExpeditionTally(PRESETS["duel"])
    for part in (rows, swap(rows)):
        twice.add(Play(0, ("a", "b"), part, *settle_games(part)))
    twice.close_segment()
    for summarise in SUMMARIES:
        assert summarise(once, ["a", "b"]).equals(summarise(twice, ["a", "b"]))


def test_errors_are_taken_within_deals_of_the_same_matchups(rows):
    """That a second opponent, on some deals only, lets a score more is the plan, not luck."""
    easy = rearrange(rows[:20], mask=0xFFF)
    tally = ExpeditionTally(PRESETS["duel"])
    for first, end in ((0, 20), (20, 60)):
        part = rows[first:end]
        tally.add(Play(0, ("a", "b"), part, *settle_games(part)))
        if first == 0:
            tally.add(Play(1, ("a", "c"), easy, *settle_games(easy)))
        tally.close_segment()
    listed = pd.concat([list_expeditions(rows, 0), list_expeditions(easy, 0)])
    deals = listed.groupby("deal")["points"].agg(["sum", "count"]).reindex(range(60), fill_value=0)
    mean = listed["points"].mean()
    residuals = deals["sum"] - mean * deals["count"]
    parts = (residuals[:20], residuals[20:])
    error = np.sqrt(sum(len(part) * part.var(ddof=1) for part in parts)) / len(listed)
    row = summarise_expeditions(tally, ["a"]).iloc[0]
    assert (row["score"], row["score_se"]) == (pytest.approx(mean), pytest.approx(error))
    assert row["n_expeditions"] == len(listed)


def tell(path, rows):
    """Return the answer on opening, and the report as text, free of numbers that are none."""
    report = build_report(write_run(path / "run", [rows], labels=[("a", "b")]))
    text = render_markdown(report) + render_json(report)
    assert not re.search(r"\b(nan|inf|None|NaN|Infinity)\b", text)
    (sentence,) = (one.sentence for one in report.answers if one.question == OPENING)
    return sentence, text


def rearrange(rows, *, mask=None, points=None):
    """Return rows in which every expedition is `mask`, or its points held come from its score."""
    changed = rows.copy()
    table = build_score_table(PRESETS["duel"])
    for number in (0, 1):
        for color in COLORS:
            laid = rows[f"exp_{number}_{color}"]
            if mask is not None:
                changed[f"exp_{number}_{color}"] = np.where(laid > 0, mask, 0)
            if points is not None:
                changed[f"held_{number}_{color}"] = points(table[laid]) * (laid > 0)
    return changed


def test_the_answer_names_the_break_even(rows, tmp_path):
    noise = np.random.default_rng(2)
    held = rearrange(rows, points=lambda p: np.clip(p // 4 + 12 + noise.integers(0, 3), 0, 40))
    sentence, _ = tell(tmp_path, held)
    assert re.match(r"Opening pays \w from about 1[2-5]\.\d+ points of the color in hand", sentence)
    assert "95 % interval 1" in sentence
    assert "Descriptive" in sentence
    assert "over the strategies it goes from" in sentence


def test_always_and_never(rows, tmp_path):
    sentence, text = tell(tmp_path / "all", rearrange(rows, mask=0xFFF))
    assert re.match(r"Opening pays \w already with the fewest points it opens with", sentence)
    assert "of 2 strategies, 2 gain from the fewest points on" in sentence
    assert "always gains" in text
    sentence, text = tell(tmp_path / "none", rearrange(rows, mask=0b1000))
    assert re.match(r"Opening never pays \w: even the expeditions with \S+ points", sentence)
    assert "never gains" in text


def test_a_lone_loss_decides_nothing(rows, tmp_path):
    """One expedition that lost with fewer points than any other is no break-even."""
    changed = rearrange(rows, mask=0xFFF, points=lambda p: 20 + 0 * p)
    lay(changed, (0, 0, 0), 0, "R", ranks=(2,), turn=3, held=2)
    sentence, _ = tell(tmp_path, changed)
    assert sentence.startswith("Opening pays a with 20 points of the color in hand or more")
    assert "of 2 strategies, 1 gains from the fewest points on, 1 leaves it open" in sentence


def test_one_deal_says_so(rows, tmp_path):
    sentence, text = tell(tmp_path, rows[:1])
    assert sentence.startswith("There are too few games to tell from how many points on")
    assert "± ?" in text


def test_nobody_opens(rows, tmp_path):
    closed = rearrange(rows, mask=0)
    sentence, _ = tell(tmp_path, closed)
    assert sentence == "Nobody opened an expedition in these games."
    names = {figure.name for figure in build_report(tmp_path / "run").list_figures()}
    assert not any(name.startswith("expedition") for name in names)
