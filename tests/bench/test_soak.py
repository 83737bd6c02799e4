"""The soak's table has a line a tenth, and every unit is in one of them."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture
def soak(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    spec = importlib.util.spec_from_file_location("soak", FOLDER / "soak.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "soak", module)
    spec.loader.exec_module(module)
    return module


def test_tenths_follow_one_another(soak):
    looks = [soak.Look(units, units / 4, units / 2, 200.0 + units) for units in range(1, 101)]
    tenths = soak.cut_tenths(looks)
    assert len(tenths) == 10
    assert [begin.units for begin, _ in tenths[1:]] == [end.units for _, end in tenths[:-1]]
    assert (tenths[0][0].units, tenths[-1][1].units) == (1, 100)
    lines = soak.render(looks).splitlines()
    assert lines[2] == "| 1 to 10 | 0.250 | 0.500 | 206 MB | 210 MB |"
    assert len(lines) == 12


def test_a_short_run_has_fewer_lines(soak):
    looks = [soak.Look(units, 1.0, 1.0, 1.0) for units in (3, 3, 9)]
    assert len(soak.cut_tenths(looks)) == 1


def test_a_process_that_has_ended_is_not_looked_at(soak, tmp_path):
    assert soak.look_at(2**22 + 1, tmp_path, 0.0) is None
