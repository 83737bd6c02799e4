"""From a spec to a strategy: names, paths, classes, folders, and what is refused."""

import pytest

from lcsim.errors import SpecError, StrategyLoadError, UnknownNameError, UsageError
from lcsim.strategy import find_strategies, load_strategy


def test_a_name_finds_a_shipped_strategy():
    loaded = load_strategy("cautious-opener:open_at=18", kind="duel")
    assert loaded.spec == loaded.label == "cautious-opener:open_at=18"
    assert loaded.params["open_at"] == 18.0
    assert loaded.form == "rating"
    assert "class CautiousOpener" in loaded.source


def test_a_default_given_leaves_no_trace():
    default = load_strategy("cautious-opener", kind="duel")
    text = f"cautious-opener:open_at={default.params['open_at']}"
    again = load_strategy(text, kind="duel")
    assert (again.spec, again.digest) == (default.spec, default.digest)
    assert load_strategy("cautious-opener:open_at=3", kind="duel").digest != default.digest


def test_a_path_finds_a_file(write_strategy):
    path = write_strategy(inside="x = Param(1.0, low=0, high=9)")
    for text in (f"{path}", f"{path}:Mine", f"{path}:x=2", f"{path}:Mine:x=2"):
        loaded = load_strategy(text, kind="duel")
        assert loaded.name == "mine"
        assert load_strategy(loaded.spec, kind="duel").digest == loaded.digest
    assert loaded.label == "mine:x=2"


def test_a_folder_comes_before_the_shipped_strategies(write_strategy):
    path = write_strategy("ladder", class_name="Ladder")
    loaded = load_strategy("ladder", kind="duel", folders=[path.parent])
    assert loaded.path == path.resolve()
    entries = find_strategies(kind="duel", folders=[path.parent])
    assert [entry.source for entry in entries if entry.name == "ladder"] == ["folder", "shipped"]


def test_the_local_folder_is_found(write_strategy, tmp_path, monkeypatch):
    (tmp_path / "strategies").mkdir()
    write_strategy("strategies/idea", class_name="Idea")
    monkeypatch.chdir(tmp_path)
    assert load_strategy("idea", kind="duel").name == "idea"
    sources = {entry.name: entry.source for entry in find_strategies(kind="duel")}
    assert sources["idea"] == "local"
    assert sources["ladder"] == "shipped"


def test_an_entry_point_is_found(write_strategy, tmp_path, monkeypatch):
    write_strategy("plugged_in", class_name="PluggedIn")
    info = tmp_path / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lcsim.strategies]\nplugged-in = plugged_in\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert load_strategy("plugged-in", kind="duel").name == "plugged-in"
    sources = {entry.name: entry.source for entry in find_strategies(kind="duel")}
    assert sources["plugged-in"] == "entry-point"


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("balancd", UnknownNameError, "did you mean 'balanced'"),
        ("", SpecError, "empty"),
        ("collector", SpecError, "a strategy for the board game, not for the card game"),
        ("ladder:x", SpecError, "name=value"),
        ("ladder:x=1", UnknownNameError, "'x': none is known"),
        ("nowhere.py", SpecError, "cannot be read"),
        ("x.py:", SpecError, "after the colon"),
    ],
)
def test_a_wrong_spec_says_what_to_do(text, error, says):
    with pytest.raises(error) as caught:
        load_strategy(text, kind="duel")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("class Mine(Strategy)\n    pass\n", "line 1: syntax error"),
        ("import nothing_like_this\n", "line 1: nothing_like_this is out of bounds"),
        ("from lcsim.duel import nothing_like_this\n", "line 1: ImportError"),
        ("x = 1\n\ny = 1 / 0\n", "line 3: ZeroDivisionError"),
        ("raise SystemExit(3)\n", "line 1: SystemExit"),
        ("x = 1\n", "mine.py has no strategy class\n"),
        ("", "mine.py is empty\n"),
        (" \n\n", "mine.py is empty\n"),
        ("from lcsim.duel import Strategy\nclass A(Strategy):\n    pass\n", "methods of one form"),
        (
            "from lcsim.duel import Strategy\nclass A(Strategy):\n    def lay(self, v, c):\n"
            "        return 1\n",
            "lacks discard, draw",
        ),
        (
            "from lcsim.duel import Param, Strategy\nclass A(Strategy):\n"
            "    x = Param(5, low=7, high=9)\n",
            "line 3: ValueError",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path, text, says):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StrategyLoadError) as caught:
        load_strategy(str(path), kind="duel")
    assert says in str(caught.value)


def test_two_classes_need_a_name(write_strategy):
    path = write_strategy()
    path.write_text(path.read_text() + path.read_text().replace("Mine", "Other"))
    with pytest.raises(StrategyLoadError, match="2 strategy classes: Mine, Other"):
        load_strategy(str(path), kind="duel")
    assert load_strategy(f"{path}:Other", kind="duel").name == "other"
    with pytest.raises(UnknownNameError, match="did you mean 'Other'"):
        load_strategy(f"{path}:Othr", kind="duel")


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="not UTF-8"):
        load_strategy(str(path), kind="duel")


def test_a_broken_neighbour_is_listed_and_hides_nobody(write_strategy, tmp_path):
    write_strategy("fine", class_name="Fine")
    (tmp_path / "broken.py").write_text("class (\n")
    assert load_strategy("fine", kind="duel", folders=[tmp_path]).name == "fine"
    entries = {entry.name: entry for entry in find_strategies(folders=[tmp_path])}
    assert entries["broken"].status == "broken"
    assert "line 1" in entries["broken"].error
    with pytest.raises(StrategyLoadError, match="line 1: syntax error"):
        load_strategy("broken", kind="duel", folders=[tmp_path])


def test_an_empty_file_is_listed_as_broken(tmp_path):
    (tmp_path / "idea.py").touch()
    entries = {entry.name: entry for entry in find_strategies(folders=[tmp_path])}
    assert (entries["idea"].status, entries["idea"].error) == ("broken", "it is empty")
    with pytest.raises(StrategyLoadError, match=r"idea\.py is empty") as caught:
        load_strategy("idea", folders=[tmp_path])
    assert "lcsim.duel or lcsim.board" in caught.value.hint


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(UsageError, match="not a folder"):
        load_strategy("ladder", kind="duel", folders=[tmp_path / "nowhere"])
