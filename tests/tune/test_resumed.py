"""A tuning started again: what was changed meanwhile is named, and what was lost is said."""

from dataclasses import replace

import pytest

from lcsim.errors import RunDirError
from lcsim.runner.backends import ThreadBackend
from lcsim.store.tune_dir import TuneDir
from lcsim.tune.settings import Settings, prepare_tuning
from lcsim.tune.tuning import run_tuning

MINE = """
from lcsim.duel import Param, Strategy, rank_of


class Mine(Strategy):
    open_at = Param(10.0, low=0, high=54, help="points")

    def lay(self, view, card):
        return 10.0 - rank_of(card) - self.open_at

    def discard(self, view, card):
        return -1.0

    def draw(self, view, card):
        return -1.0
"""
FILES = ("tune.json", "generations.jsonl", "tuned.toml")


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Return a strategy's file in the folder of work."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


SMALL = Settings(
    "mine.py",
    ("ladder", "self"),
    ruleset="duel:rounds=1",
    budget=1000,
    deals=10,
    validation=100,
    sensitivity=0,
)


def tune(tmp_path, settings=SMALL, said=None):
    notify = None if said is None else said.append
    return run_tuning(prepare_tuning(settings), tmp_path / "t", ThreadBackend(1), notify=notify)


def read_files(tmp_path):
    return [(tmp_path / "t" / name).read_bytes() for name in FILES]


def test_a_changed_generation_ends_the_tuning_instead_of_changing_what_it_finds(tmp_path, mine):
    tune(tmp_path)
    file = tmp_path / "t" / "generations.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"goals": [', b'"goals": [-', 1))
    with pytest.raises(RunDirError, match=r"generations\.jsonl, line 1"):
        tune(tmp_path)


@pytest.mark.parametrize(
    ("keep", "says"),
    [
        (lambda data: data[:-9], "its last line was cut short, so generation 5 is played anew"),
        (
            lambda data: b"".join(data.splitlines(keepends=True)[:3]),
            "2 generations of a tuning that had ended are missing, and played anew from number 4",
        ),
        (lambda data: b"", "5 generations of a tuning that had ended are missing"),
    ],
)
def test_what_was_lost_is_said_and_played_anew(tmp_path, mine, keep, says):
    tune(tmp_path)
    whole = read_files(tmp_path)
    file = tmp_path / "t" / "generations.jsonl"
    file.write_bytes(keep(file.read_bytes()))
    said = []
    tune(tmp_path, said=said)
    assert any(says in one for one in said)
    assert read_files(tmp_path) == whole


def test_sources_that_a_kill_kept_from_being_written_are_written(tmp_path, mine):
    tune(tmp_path)
    (kept,) = (tmp_path / "t" / "sources").glob("mine-*.py")
    kept.unlink()
    tune(tmp_path)
    assert kept.read_text("utf-8") == MINE


def test_a_changed_source_is_named_and_kept_as_it_was(tmp_path, mine):
    tune(tmp_path)
    (kept,) = (tmp_path / "t" / "sources").glob("mine-*.py")
    mine.write_text(MINE + "# a change\n", encoding="utf-8")
    with pytest.raises(RunDirError) as caught:
        tune(tmp_path)
    assert caught.value.message.endswith(
        "holds another tuning: the source of the strategy mine.py has changed since it began "
        f"(as it was: sources/{kept.name})"
    )
    assert kept.read_text("utf-8") == MINE


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"strategy": "mine.py:open_at=12"}, "the strategy was mine.py and is now mine.py:open_at"),
        ({"against": ("self", "ladder")}, "opponent 1 was ladder and is now self; opponent 2 was"),
        ({"against": ("ladder",)}, "the opponents were ladder, self, now ladder"),
        ({"ruleset": "duel:rounds=2"}, "ruleset was duel:rounds=1 and is now duel:rounds=2"),
        ({"deals": 20, "budget": 2000}, "budget was 1,000 and is now 2,000; deals was 10 and is"),
        ({"params": ("open_at",)}, "params was not given and is now open_at"),
        ({"spread": 0.3}, "spread was 0.2 and is now 0.3"),
    ],
)
def test_what_differs_is_named(tmp_path, mine, changes, says):
    tune(tmp_path)
    with pytest.raises(RunDirError, match="holds another tuning") as caught:
        tune(tmp_path, replace(SMALL, **changes))
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("entry", "says"), [("rules", "version of the rules' code"), ("machine", "or the machine was")]
)
def test_another_engine_is_named(tmp_path, mine, entry, says):
    tune(tmp_path)
    folder = TuneDir(tmp_path / "t")
    manifest = folder.read_manifest()
    manifest["engine"][entry] = "0" * 12
    folder.write_manifest({**manifest, "digest": "1" * 64})
    with pytest.raises(RunDirError) as caught:
        tune(tmp_path)
    assert says in caught.value.message
