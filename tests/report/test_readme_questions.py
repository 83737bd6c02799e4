"""The README's questions of one's own give what a plain sum over the rows gives."""

import contextlib
import io
import math
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import COLORS, draw_rows, write_run

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def rows():
    return draw_rows(np.random.default_rng(11), n_deals=60)


@pytest.fixture(scope="module")
def names(rows, tmp_path_factory):
    """Everything that the README's example leaves, on a run of our own."""
    chapter = README.read_text(encoding="utf-8").partition("## Questions of your own")[2]
    code = re.search(r"```python\n(.+?)```", chapter, re.DOTALL).group(1)
    run = tmp_path_factory.mktemp("run") / "quickstart"
    write_run(run, [rows, rows[:20]], labels=[("denier", "balanced"), ("ladder", "balanced")])
    found = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code.replace("reports/quickstart", str(run)), found)
    return found


def test_a_mean_with_its_error(names, rows):
    first = rows[..., 0]
    lead = first["score_0"] - first["score_1"]
    gain = np.where(first["starter"] == 0, lead, -lead).mean(axis=1)
    by_deal = names["by_deal"].collect()
    assert by_deal["gain"].mean() == pytest.approx(gain.mean())
    assert by_deal["gain"].std() / math.sqrt(len(by_deal)) == pytest.approx(
        gain.std(ddof=1) / math.sqrt(60)
    )


def test_masks_tell_wagers_and_cards(names, rows):
    masks = np.concatenate(
        [
            part[f"exp_{i}_{color}"].ravel()
            for part in (rows, rows[:20])
            for i in (0, 1)
            for color in COLORS
        ]
    )
    masks = masks[masks > 0]
    bits = masks[:, None] >> np.arange(12) & 1
    wagers, cards = bits[:, :3].sum(axis=1), bits.sum(axis=1)
    found = (
        names["masks"]
        .group_by(wagers=names["wagers"])
        .agg(pl.len(), bonus=(names["cards"] >= 8).mean())
    )
    for row in found.collect().iter_rows(named=True):
        own = cards[wagers == row["wagers"]]
        assert row["len"] == len(own)
        assert row["bonus"] == pytest.approx((own >= 8).mean())
