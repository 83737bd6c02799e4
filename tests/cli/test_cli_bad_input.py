"""Bad input: a clear sentence on stderr, the right exit code, nothing on stdout, no traceback."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

HUGE = 2**64
ENDLESS = "9" * 5000  # digits: more than Python reads as a number


@dataclass(frozen=True)
class Case:
    """A command, its exit code, and what its message must name."""

    words: tuple[str, ...]
    code: int
    says: tuple[str, ...]


PAIR = ("cautious-opener", "ladder")
CASES = {
    "unknown-strategy": Case(("match", "laddr", "ladder"), 2, ("'laddr'", "did you mean 'ladder'")),
    "strategy-of-the-other-game": Case(
        ("match", "ladder", "steady", "--ruleset", "board"),
        2,
        ("'ladder' is a strategy for the card game, not for the board", "--ruleset duel"),
    ),
    "strategy-of-the-other-game-replayed": Case(
        ("replay", "racer", "ladder"), 2, ("'racer' is a strategy for the board game",)
    ),
    "strategy-of-the-other-game-tuned": Case(
        ("tune", "balanced", "--against", "racer"), 2, ("'racer' is a strategy for the board game",)
    ),
    "strategy-of-the-other-game-shown": Case(
        ("strategies", "show", "racer", "--kind", "duel"),
        2,
        ("'racer' is a strategy for the board game",),
    ),
    "unknown-parameter": Case(
        ("match", "cautious-opener:open=3", "ladder"), 2, ("'open'", "open_at")
    ),
    "parameter-out-of-range": Case(
        ("match", "cautious-opener:open_at=900", "ladder"), 2, ("open_at", "900")
    ),
    "parameter-no-number": Case(
        ("match", "cautious-opener:open_at=high", "ladder"), 2, ("open_at", "high")
    ),
    "strategy-file-missing": Case(("match", "nowhere.py", "ladder"), 2, ("nowhere.py",)),
    "strategy-file-broken": Case(("match", "broken.py", "ladder"), 3, ("broken.py", "line 2")),
    "strategy-folder-missing": Case(
        ("match", *PAIR, "--strategies", "nowhere"), 2, ("nowhere", "does not exist")
    ),
    "strategy-folder-is-a-file": Case(
        ("match", *PAIR, "--strategies", "broken.py"), 2, ("broken.py", "is a file")
    ),
    "unknown-ruleset": Case(("match", *PAIR, "--ruleset", "deul"), 2, ("'deul'", "'duel'")),
    "unknown-ruleset-shown": Case(("rules", "show", "clasic"), 2, ("'clasic'", "'classic'")),
    "unknown-field": Case(
        ("match", *PAIR, "--ruleset", "duel:round=1"), 2, ("'round'", "did you mean 'rounds'")
    ),
    "field-out-of-range": Case(("rules", "show", "duel:rounds=0"), 2, ("rounds=0", "1 to")),
    "field-no-number": Case(("rules", "show", "duel:rounds=many"), 2, ("rounds=many",)),
    "field-without-value": Case(("rules", "show", "duel:rounds"), 2, ("'rounds'", "name=value")),
    "illegal-expedition": Case(("rules", "score", "duel", "R5 R4"), 2, ("R4",)),
    "no-card": Case(("rules", "score", "duel", "R11"), 2, ("'R11'",)),
    "no-card-endless": Case(("rules", "score", "duel", f"R{ENDLESS}"), 2, ("card",)),
    "no-card-endless-denied": Case(
        ("match", f"balanced@no-lay=R{ENDLESS}", "ladder"), 2, ("is not a card",)
    ),
    "no-board-card-endless-denied": Case(
        ("match", f"steady@no-lay=R{ENDLESS}", "steady", "--ruleset", "board"),
        2,
        ("is not a card",),
    ),
    "expeditions-endless": Case(
        ("match", f"balanced@max-expeditions={ENDLESS}", "ladder"), 2, ("max-expeditions=4",)
    ),
    "position-with-an-endless-card": Case(("advise", "card.toml"), 2, ("card.toml", "not a card")),
    "one-strategy": Case(("match", "ladder"), 2, ("2 players", "not 1")),
    "three-strategies": Case(("match", *PAIR, "balanced"), 2, ("2 players", "not 3")),
    "no-strategy": Case(("match",), 2, ("SPEC",)),
    "games-no-multiple": Case(("match", *PAIR, "--games", "1001"), 2, ("1,000 or 1,002",)),
    "games-zero": Case(("match", *PAIR, "--games", "0"), 2, ("--games", "0")),
    "games-no-number": Case(("match", *PAIR, "--games", "many"), 2, ("--games", "'many'")),
    "games-huge": Case(("match", *PAIR, "--games", str(10**18)), 2, ("games",)),
    "seed-negative": Case(("match", *PAIR, "--seed", "-1"), 2, ("seed is -1", "2^64 - 1")),
    "seed-huge": Case(("match", *PAIR, "--seed", str(HUGE)), 2, (str(HUGE), "2^64 - 1")),
    "seed-no-number": Case(("replay", *PAIR, "--seed", "x"), 2, ("seed is 'x'",)),
    "seed-of-bench": Case(("bench", "ladder", "--seed", "-3"), 2, ("seed is -3",)),
    "jobs-zero": Case(("match", *PAIR, "--jobs", "0"), 2, ("--jobs", "0")),
    "unit-deals-zero": Case(("match", *PAIR, "--unit-deals", "0"), 2, ("--unit-deals",)),
    "precision-zero": Case(("match", *PAIR, "--precision", "0"), 2, ("--precision", "above 0")),
    "precision-no-number": Case(
        ("match", *PAIR, "--precision", "nan"), 2, ("--precision has 'nan'", "not a number")
    ),
    "precision-infinite": Case(
        ("match", *PAIR, "--precision", "inf"), 2, ("--precision has 'inf'", "not finite")
    ),
    "sprt-infinite": Case(("match", *PAIR, "--sprt", "0,inf"), 2, ("--sprt has 'inf'", "finite")),
    "sprt-one-number": Case(("match", *PAIR, "--sprt", "1"), 2, ("--sprt", "0,1")),
    "sprt-reversed": Case(("match", *PAIR, "--sprt", "1,0"), 2, ("--sprt", "below")),
    "two-stopping-rules": Case(
        ("match", *PAIR, "--sprt", "0,1", "--precision", "1"), 2, ("precision and sprt",)
    ),
    "unknown-option": Case(("match", *PAIR, "--gmes", "2"), 2, ("--gmes", "--games")),
    "unknown-command": Case(("mtach",), 2, ("mtach", "match")),
    "unknown-game": Case(("strategies", "list", "--kind", "deul"), 2, ("'deul'", "'duel'")),
    "strategy-not-shown": Case(("strategies", "show", "laddr"), 2, ("'laddr'", "'ladder'")),
    "strategy-not-checked": Case(("strategies", "check", "laddr"), 2, ("'laddr'", "'ladder'")),
    "new-bad-name": Case(("strategies", "new", "My Idea"), 2, ("'My Idea'", "hyphens")),
    "deal-empty-range": Case(("replay", *PAIR, "--deal", "7:7"), 2, ("'7:7'",)),
    "deal-negative": Case(("replay", *PAIR, "--deal", "-1"), 2, ("'-1'",)),
    "deal-too-high": Case(
        ("replay", *PAIR, "--deal", str(2**63 - 1)), 2, ("the last deal is 2^62 - 1",)
    ),
    "deal-no-number": Case(("replay", *PAIR, "--deal", "x"), 2, ("'x'", "5:11")),
    "rotation-too-high": Case(
        ("replay", *PAIR, "--rotation", "2"), 2, ("--rotation is 2", "0 to 1")
    ),
    "replay-of-three": Case(("replay", *PAIR, "balanced"), 2, ("3 strategies",)),
    "experiment-missing": Case(("run", "nowhere.toml"), 2, ("nowhere.toml",)),
    "experiment-unknown": Case(("run", "quickstrat"), 2, ("'quickstrat'", "'quickstart'")),
    "experiment-is-a-folder": Case(("run", "other"), 2, ("other",)),
    "experiment-no-toml": Case(("run", "broken.py"), 2, ("broken.py", "line")),
    "experiment-no-text": Case(("run", "bytes.toml"), 2, ("bytes.toml", "UTF-8")),
    "unknown-key": Case(("run", "key.toml"), 2, ("key.toml", "gmes", "games")),
    "unknown-nested-key": Case(
        ("run", "nested.toml"), 2, ("expect[0]", "win_rate_abov", "win_rate_above")
    ),
    "experiment-games": Case(("run", "odd.toml"), 2, ("odd.toml", "1,000 or 1,002")),
    "experiment-seed": Case(("run", "seed.toml"), 2, ("seed.toml", "-1")),
    "report-of-nothing": Case(("report", "nowhere"), 4, ("nowhere",)),
    "report-of-another-folder": Case(("report", "other"), 4, ("other", "run.json")),
    "report-of-a-file": Case(("report", "broken.py"), 4, ("broken.py", "file")),
    "report-in-no-form": Case(("report", "other", "--format", "pdf"), 2, ("pdf", "html")),
    "out-holds-something-else": Case(
        ("match", *PAIR, "--games", "20", "--out", "other"), 4, ("other", "notes.txt")
    ),
    "out-is-a-file": Case(
        ("match", *PAIR, "--games", "20", "--out", "broken.py"), 4, ("broken.py", "file")
    ),
    "out-cannot-be-made": Case(
        ("match", *PAIR, "--games", "20", "--out", "/proc/nowhere/run"), 4, ("/proc/nowhere",)
    ),
    "run-out-holds-something-else": Case(
        ("run", "good.toml", "--out", "other"), 4, ("other", "notes.txt")
    ),
}
HEAD = 'question = "Who wins?"\nstrategies = ["cautious-opener", "ladder"]\n'
FILES = {
    "broken.py": "x = 1\ndef f(:\n",
    "other/notes.txt": "mine\n",
    "good.toml": HEAD + "games = 20\n",
    "key.toml": HEAD + "gmes = 20\n",
    "nested.toml": HEAD + '[[expect]]\nstrategy = "ladder"\nwin_rate_abov = 0.5\n',
    "odd.toml": HEAD + "games = 1001\n",
    "seed.toml": HEAD + "seed = -1\n",
    "card.toml": f'ruleset = "duel"\nhand = "R{ENDLESS}"\n',
}


@pytest.fixture
def folder(in_folder: Path) -> Path:
    for name, text in FILES.items():
        path = in_folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (in_folder / "bytes.toml").write_bytes(b'question = "\xff"\n')
    return in_folder


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_bad_input_is_answered_with_a_sentence(case, run, folder):
    result = run(*case.words)
    assert (result.exit_code, result.stdout) == (case.code, ""), result.stderr
    for part in case.says:
        assert part in result.stderr
    assert (folder / "other" / "notes.txt").read_text() == "mine\n"
    assert [path.name for path in (folder / "other").iterdir()] == ["notes.txt"]


def test_a_damaged_part_is_named_with_what_to_do(run, in_folder):
    words = ("match", *PAIR, "--games", "20", "--out", "run")
    assert run(*words).exit_code == 0
    part = next((in_folder / "run" / "parts").glob("*.parquet"))
    whole = part.read_bytes()
    part.write_bytes(whole[:-40])
    for command in (words, ("report", "run")):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (4, "")
        assert part.name in result.stderr
        assert "delete that file" in result.stderr
    part.unlink()
    assert run(*words).exit_code == 0
    assert part.read_bytes() == whole


EDITED = {
    "seed": (6, "seed was 6 and is now 42", "seed, engine or the ids of all units"),
    "units": ([], "units: they hold 0 of the 10", "units: they hold 0 of the 10"),
    "kind": ("board", "kind was 'board' and is now 'duel'", "kind is 'board', and rulesets[0] is"),
    "timing": (3, "timing: must be a table", "timing: must be a table"),
    "question": ("Whose lie?", "but not with its check", "but not with its check"),
}


@pytest.mark.parametrize("key", EDITED)
def test_an_edited_run_is_not_reported_nor_gone_on_with(key, run, in_folder):
    words = ("match", *PAIR, "--games", "20", "--out", "run")
    assert run(*words).exit_code == 0
    file = in_folder / "run" / "run.json"
    value, again, reported = EDITED[key]
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: value}))
    before = sorted((in_folder / "run").rglob("*"))
    for command, says in ((words, again), (("report", "run"), reported)):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (4, "")
        assert says in result.stderr
    assert sorted((in_folder / "run").rglob("*")) == before


def test_a_run_of_something_else_is_not_gone_on_with(run, in_folder):
    assert run("match", *PAIR, "--games", "20", "--out", "run").exit_code == 0
    result = run("match", *PAIR, "--games", "40", "--seed", "7", "--out", "run")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "42" in result.stderr


def test_a_file_that_may_not_be_read_is_named(run, in_folder, monkeypatch):
    def refuse(path, *_args, **_words):
        raise PermissionError(13, "Permission denied", str(path))

    (in_folder / "secret.toml").write_text(HEAD)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = run("run", "secret.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "secret.toml" in result.stderr
    assert "Permission denied" in result.stderr
