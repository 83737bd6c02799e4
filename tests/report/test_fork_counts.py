"""Forks counted: by hand, against plain sums, for any size of units, and what stands out."""

import numpy as np
import pytest
from conftest import draw_rows, find_part, write_run
from forking import add_forks, draw_forks, list_forks

from lcsim.errors import PartError
from lcsim.report import duel_forks
from lcsim.report.duel_forks import EVERYBODY, SORTINGS, count_forks, list_cells
from lcsim.report.source import open_source
from lcsim.store import write_part

LABELS = [("x", "o"), ("x", "p")]
CARDS, WAGER, TURN, HELD = SORTINGS


def make_run(path, forks_by_matchup, *, n_deals, labels=LABELS, **options):
    rows = [draw_rows(np.random.default_rng(1), n_deals=n_deals) for _ in labels]
    return add_forks(
        write_run(path, rows, labels=labels), forks_by_matchup, n_deals=n_deals, **options
    )


def count(run):
    return count_forks(open_source(run), "duel")


def value_of(counted, label, cell=0, value="points"):
    estimate = counted.estimate(label, value, cell)
    return None if estimate is None else (estimate.mean, estimate.se, estimate.n)


def test_a_strategy_is_summed_over_its_matchups_by_hand(tmp_path):
    # x lays two wagers in deal 0, one in each matchup, worth 10 and 20, and one of -6 in deal 2;
    # groups hold (2, 30), (0, 0), (1, -6) and (0, 0): 24 / 3 = 8. Residuals 14, 0, -14, 0:
    # se = sqrt(4 / 3 * 392) / 3. o lays one worth 5.
    against_o = list_forks(
        (0, 0, (30, 0), (20, 0), {}),
        (0, 1, (30, 8), (30, 3), {"rotation": 1}),
        (2, 0, (4, 0), (10, 0), {}),
    )
    against_p = list_forks((0, 0, (50, 0), (30, 0), {}))
    counted = count(make_run(tmp_path / "run", [against_o, against_p], n_deals=4))
    assert value_of(counted, "x") == (8, pytest.approx((4 / 3 * 392) ** 0.5 / 3), 2)
    assert value_of(counted, "o") == (5, None, 1)
    assert value_of(counted, "p") is None
    assert counted.estimate("nobody", "points") is None
    assert value_of(counted, EVERYBODY)[0] == (10 + 5 - 6 + 20) / 4
    # x played 2 matchups of 2 rotations of 4 deals; everybody counts each game once a player.
    assert counted.estimate_wagers("x").mean == 3 / 16
    assert counted.estimate_wagers("p").mean == 0
    assert counted.estimate_wagers(EVERYBODY).mean == 4 / 32
    assert (counted.n_games, counted.n_deals) == (16, 4)


def test_bands_hold_what_they_name():
    assert CARDS.name_bands() == ["1", "2", "3", "4", "5", "6 and more"]
    assert WAGER.name_bands() == ["1", "2", "3"]
    assert TURN.name_bands()[:2] == ["1–10", "11–20"]
    assert TURN.name_bands()[-1] == "51 and more"
    forks = list_forks(*((0, 0, (0, 0), (0, 0), {"turn": turn}) for turn in (0, 9, 10, 49, 50, 99)))
    assert TURN.place(forks).tolist() == [0, 0, 1, 4, 5, 5]
    forks["held"] = [0, 4, 5, 29, 30, 54]
    assert HELD.place(forks).tolist() == [0, 0, 1, 5, 6, 6]
    forks["cards"] = [1, 2, 5, 6, 7, 12]
    assert CARDS.place(forks).tolist() == [0, 1, 4, 5, 5, 5]
    cells = [cell for sorting in SORTINGS for _, cell in list_cells(sorting)]
    assert cells == list(range(1, duel_forks.N_CELLS))


def test_every_sorting_adds_up_to_the_plain_means(tmp_path):
    forks = [draw_forks(np.random.default_rng(seed), n_deals=70) for seed in (3, 4)]
    counted = count(make_run(tmp_path / "run", forks, n_deals=70))
    own = [part[part["strategy"] == 0] for part in forks]
    values = [part["score_0"].astype(int) - part["other_0"] for part in own]
    assert value_of(counted, "x")[0] == pytest.approx(np.concatenate(values).mean())
    for sorting in SORTINGS:
        bands = np.concatenate([sorting.place(part) for part in own])
        for band, (_, cell) in enumerate(list_cells(sorting)):
            chosen = np.concatenate(values)[bands == band]
            assert counted.sums["x"].count(cell) == len(chosen)
            if len(chosen):
                assert value_of(counted, "x", cell)[0] == pytest.approx(chosen.mean())
    by_deal = [
        sum(v[part["deal"] == deal].sum() for v, part in zip(values, own, strict=True))
        for deal in range(70)
    ]
    moves = [sum((part["deal"] == deal).sum() for part in own) for deal in range(70)]
    ratio = sum(by_deal) / sum(moves)
    residuals = np.array(by_deal) - ratio * np.array(moves)
    se = np.sqrt(70 / 69 * (residuals**2).sum()) / sum(moves)
    assert value_of(counted, "x")[1] == pytest.approx(se)


@pytest.mark.parametrize(("unit_deals", "segment"), [(7, 1024), (200, 1024), (64, 10), (13, 5)])
def test_neither_units_nor_segments_change_a_number(tmp_path, monkeypatch, unit_deals, segment):
    forks = [draw_forks(np.random.default_rng(seed), n_deals=150) for seed in (5, 6)]
    one = count(make_run(tmp_path / "a", forks, n_deals=150))
    monkeypatch.setattr(duel_forks, "SEGMENT_DEALS", segment)
    monkeypatch.setattr(duel_forks, "_CACHE_BYTES", 1)
    other = count(make_run(tmp_path / "b", forks, n_deals=150, unit_deals=unit_deals))
    for label in ("x", "o", "p", EVERYBODY):
        for cell in range(duel_forks.N_CELLS):
            for value in ("points", "margin", "wins", "paid"):
                assert other.estimate(label, value, cell) == one.estimate(label, value, cell)
        assert other.estimate_wagers(label) == one.estimate_wagers(label)
    assert (other.gains, other.losses) == (one.gains, one.losses)
    assert (other.n_games, other.n_deals) == (one.n_games, one.n_deals)


def test_naming_the_strategies_the_other_way_round_changes_no_number(tmp_path):
    forks = draw_forks(np.random.default_rng(8), n_deals=60)
    turned = forks.copy()
    turned["strategy"] = 1 - forks["strategy"]
    for of in ("score", "other"):
        turned[f"{of}_0"], turned[f"{of}_1"] = forks[f"{of}_1"], forks[f"{of}_0"]
    one = count(make_run(tmp_path / "a", [forks], n_deals=60, labels=[("x", "o")]))
    other = count(make_run(tmp_path / "b", [turned], n_deals=60, labels=[("o", "x")]))
    for label in ("x", "o"):
        for cell in range(duel_forks.N_CELLS):
            assert value_of(other, label, cell) == value_of(one, label, cell)


def test_what_stands_out_is_the_most_of_each_game(tmp_path):
    forks = draw_forks(np.random.default_rng(9), n_deals=100)
    counted = count(make_run(tmp_path / "run", [forks], n_deals=100, labels=[("x", "o")]))
    strategies = forks["strategy"][:, None] == [0, 1]
    chosen, other = (
        np.stack([forks[f"{of}_{i}"].astype(int) for i in (0, 1)], axis=1)[strategies]
        for of in ("score", "other")
    )
    values, games = chosen - other, forks["deal"] * 2 + forks["rotation"]
    for found, sign in ((counted.gains, 1), (counted.losses, -1)):
        best = sorted(
            (max(sign * values[games == game]) for game in np.unique(games)), reverse=True
        )
        assert [sign * one.value for one in found] == best[:5]
        assert len({(one.place.deal, one.place.rotation) for one in found}) == 5


def test_of_equals_the_first_in_the_order_of_play_stands_out(tmp_path):
    wins = [(deal, 0, (9, 0), (0, 0), {"turn": turn}) for deal in range(8) for turn in (1, 3)]
    counted = count(make_run(tmp_path / "run", [list_forks(*wins)] * 2, n_deals=8))
    assert [(one.matchup.label, one.place.deal) for one in counted.gains] == [
        ("x vs o", deal) for deal in range(5)
    ]
    assert {one.place.turn for one in counted.gains} == {1}
    assert counted.losses == ()


def test_a_run_without_forks_counts_none(round_robin):
    assert count(round_robin) is None


def test_parts_without_a_wager_count_as_deals(tmp_path):
    counted = count(make_run(tmp_path / "run", [list_forks()] * 2, n_deals=100))
    assert value_of(counted, "x") is None
    assert counted.estimate_wagers("x").mean == 0
    assert (counted.n_deals, counted.gains, counted.losses) == (100, (), ())


def test_parts_that_do_not_fit_are_named(tmp_path):
    forks = [draw_forks(np.random.default_rng(2), n_deals=50)] * 2
    run = make_run(tmp_path / "run", forks, n_deals=50)
    part = find_part(run, 1, 0, folder="forks")
    whole = part.read_bytes()
    part.write_bytes(whole[:-9])
    with pytest.raises(PartError, match=rf"{part.name} is damaged"):
        count(run)
    for wrong in (forks[0][::-1], draw_rows(np.random.default_rng(2), n_deals=3)):
        write_part(part, wrong, matchup="x vs p", ruleset="duel")
        with pytest.raises(PartError, match="does not hold the forks of its unit"):
            count(run)
