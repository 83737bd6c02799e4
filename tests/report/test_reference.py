"""The reports that lie in reports/reference are what their experiments give."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from lcsim.experiment import build_plan, load_experiment
from lcsim.report.write import write_report
from lcsim.runner import run_plan

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reports" / "reference"
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))
QUICK = "board-quickstart"  # the one that is cheap enough to be played anew here
PASSING = ("- Wall time", "- Versions", "- To do it again")


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_experiment_opens_with_its_question_and_cost_and_has_a_report(path):
    text = path.read_text(encoding="utf-8")
    experiment = load_experiment(path)
    head = text.partition("\n\nquestion")[0]
    assert "\n# Cost: " in head
    assert experiment.question
    assert experiment.cost
    report = REFERENCE / path.stem / "report.md"
    assert report.read_text(encoding="utf-8").startswith(f"# {experiment.question}")
    for folder in ("figures", "tables", "../sources"):
        assert any((REFERENCE / path.stem / folder).iterdir())
    text = report.read_text(encoding="utf-8")
    links = re.findall(r"[^ (\[]*sources/[a-z0-9-]*\.py|figures/[a-z0-9-]*\.svg", text)
    assert {link.partition("/")[0] for link in links} == {"..", "figures"}
    assert all((REFERENCE / path.stem / link).is_file() for link in links)


def test_a_report_made_anew_is_the_one_kept(tmp_path):
    plan = build_plan(load_experiment(ROOT / "experiments" / f"{QUICK}.toml"))
    run_plan(plan, tmp_path / "run", jobs=2)
    write_report(tmp_path / "run", formats=("md", "csv"))
    kept = REFERENCE / QUICK
    made = [line.replace("sources/", "../sources/") for line in list_lines(tmp_path / "run")]
    assert made == list_lines(kept)  # the kept reports share one folder of sources
    names = sorted(path.name for path in (kept / "tables").glob("*.csv"))
    assert names == sorted(path.name for path in (tmp_path / "run" / "tables").glob("*.csv"))
    for name in names:
        made, old = (pd.read_csv(folder / "tables" / name) for folder in (tmp_path / "run", kept))
        assert_frame_equal(made, old, rtol=1e-9)
    shutil.rmtree(tmp_path / "run")


def list_lines(folder):
    """Return the lines of a report, without those that tell of the machine and the moment."""
    lines = (folder / "report.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(PASSING)]
