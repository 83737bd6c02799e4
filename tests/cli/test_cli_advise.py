"""`lcsim advise`: from a file or a replayed turn to ranked moves, in words and as JSON."""

import json
import subprocess
import sys

import pytest

QUICK = ("--policy", "balanced", "--samples", "100")
TURN = ("balanced", "ladder", "--deal", "7", "--turn", "30")


@pytest.fixture
def position(run, in_folder):
    """The example of the card game as a file."""
    file = in_folder / "position.toml"
    file.write_text(run("advise", "--example", "duel").stdout, encoding="utf-8")
    return file


def test_a_file_is_answered_in_a_table_and_a_sentence(run, position):
    result = run("advise", position, *QUICK)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "hand          Rw R9 G4 G10 W2 B3 B8 Y6" in lines
    table = [line for line in lines if line.startswith(("lay ", "discard "))]
    assert len(table) == 14
    assert all("±" in line and "%" in line for line in table)
    assert lines[-2][0].isupper()
    assert lines[-1].startswith("Again: lcsim advise ")


def test_the_same_words_give_the_same_json(run, position):
    first, again = (run("advise", position, *QUICK, "--json").stdout for _ in range(2))
    assert first == again
    answer = json.loads(first)
    assert answer["asked"] == "play"
    assert answer["position"]["points"] == [31, 24]
    behind = [move["behind"] for move in answer["moves"][1:]]
    assert behind == sorted(behind)
    assert answer["moves"][0]["behind"] is None
    assert {move["n_worlds"] for move in answer["moves"]} == {100}
    assert answer["moves"][1]["behind_se"] > 0
    assert answer["sentence"].lower().startswith(answer["moves"][0]["move"].lower())


def test_a_turn_of_a_game_is_the_position_that_it_writes(run, in_folder):
    text = run("advise", *TURN, "--write").stdout
    (in_folder / "p.toml").write_text(text, encoding="utf-8")
    of_turn, of_file = (
        json.loads(run("advise", *words, *QUICK, "--json").stdout) for words in (TURN, ["p.toml"])
    )
    assert of_turn["position"] == of_file["position"]
    assert of_turn["moves"] == of_file["moves"]
    replayed = json.loads(run("replay", *TURN[:4], "--json").stdout)
    played = replayed["rounds"][0]["turns"][30]
    assert f"lay {played['lay']}" in [move["move"] for move in of_turn["moves"]]


def test_a_draw_is_asked_for(run, in_folder):
    answer = json.loads(run("advise", *TURN, "--draw", *QUICK, "--json").stdout)
    assert answer["asked"] == "draw"
    assert answer["position"]["played"] == "lay B8"
    assert {"draw from the draw pile", "take Rw", "take G5"} == {
        move["move"] for move in answer["moves"]
    }


def test_a_precision_takes_as_many_worlds_as_it_needs(run, position):
    words = ("advise", position, "--policy", "balanced", "--precision", "1")
    answer = json.loads(run(*words, "--json").stdout)
    counts = [move["n_worlds"] for move in answer["moves"]]
    assert counts[0] == counts[1] > counts[-1] == 1000
    assert answer["is_precise"] is True
    assert 1.9 * answer["moves"][1]["behind_se"] < answer["lead_ci95"] <= 1
    lines = run(*words).stdout.splitlines()
    table = [line.split() for line in lines if line.startswith(("lay ", "discard "))]
    assert [row[-1] for row in table] == [f"{n:,}" for n in counts]
    assert any(f"in 1,000 to {counts[0]:,} worlds" in line for line in lines)


def test_samples_are_the_most_that_a_precision_gets(run, position):
    words = ("--policy", "balanced", "--precision", "0.2", "--samples", "300")
    answer = json.loads(run("advise", position, *words, "--json").stdout)
    assert {move["n_worlds"] for move in answer["moves"]} == {300}
    assert answer["is_precise"] is False
    assert "after 300 worlds, the most there may be, and not to ± 0.2." in answer["sentence"]


def test_the_numbers_that_replay_prints_are_those_to_type(run, in_folder):
    lines = run("replay", *TURN[:4]).stdout.splitlines()
    assert lines[2] == "Round 0. balanced starts."
    (told,) = [line for line in lines[: lines.index("", 3)] if line.startswith("  30. ")]
    assert told.startswith("  30. balanced lays B8")
    answer = run("advise", *TURN, "--draw", *QUICK)
    assert answer.stdout.startswith("Turn 30 of round 0: balanced is to draw.\n")
    assert 'played = "lay B8"' in run("advise", *TURN, "--draw", "--write").stdout
    twin = ("balanced@no-lay=B8:0.30", *TURN[1:4])
    (changed,) = [line for line in run("replay", *twin).stdout.splitlines() if "  30. " in line][:1]
    assert "lays B8" not in changed


def test_a_step_of_a_turn_is_advised_on(run, in_folder):
    words = ("steady", "racer", "--ruleset", "board-short", "--deal", "7")
    turns = json.loads(run("replay", *words, "--json").stdout)["rounds"][0]["turns"]
    turn, moves = next((n, t["moves"]) for n, t in enumerate(turns) if len(t.get("moves", ())) > 1)
    words = (*words, "--turn", turn, "--step")
    result = run("advise", *words, "--policy", "steady", "--samples", "60")
    assert result.exit_code == 0, result.output
    assert "is to step.\n" in result.stdout
    lines = result.stdout.splitlines()
    color, space = moves[1]
    assert any(line.startswith(f"move {color} to {space}") for line in lines)
    assert any(line.startswith("move no pawn") for line in lines)
    (in_folder / "p.toml").write_text(run("advise", *words, "--write").stdout, encoding="utf-8")
    asked = ("--policy", "steady", "--samples", "60", "--json")
    of_turn, of_file = (json.loads(run("advise", *w, *asked).stdout) for w in (words, ["p.toml"]))
    assert of_turn["asked"] == of_file["asked"] == "step"
    assert of_turn["moves"] == of_file["moves"]
    assert of_file["position"]["step"] is True
    none = run("advise", *words, "--step", "--step", "--step")
    assert none.exit_code == 2
    assert f"no step 3 in turn {turn}" in none.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no position to advise on"),
        (("none.toml",), "cannot read the position"),
        (("--example", "chess"), "known are"),
        (("balanced", "ladder"), "--turn is missing"),
        (("none.toml", "--turn", "3"), "--turn does nothing here: a position's file"),
        (("none.toml", "--ruleset", "classic"), "--ruleset does nothing here"),
        (("none.toml", "--deal", "3", "--draw"), "--deal, --draw do nothing here"),
        (("none.toml", "--step"), "--step does nothing here"),
        (("--example", "board", "d.toml"), "POSITION|SPEC... does nothing here"),
        (("--example", "duel", "--json"), "--json does nothing here: --example prints"),
        ((*TURN, "--write", "--samples", "9"), "--samples does nothing here: --write"),
        ((*TURN, "--write", "--json"), "--json does nothing here: --write"),
        (("none.toml", "--write", "--seed", "3"), "--seed does nothing here: --write"),
        ((*TURN, "--step", "--draw"), "--step and --draw ask for two things"),
        ((*TURN, "--step"), "'step' is no decision of duel"),
        ((*TURN, "--precision", "1", "--goal", "wins"), "a precision is in points"),
        ((*TURN, "--policy", "ladder-numpy"), "is a batch strategy, which is not compiled"),
        ((*TURN, "--samples", "1000000000"), "--samples"),
        ((*TURN, "--rotation", "2"), "the rotation is 2"),
        (("balanced", "ladder", "--turn", "900"), "no turn 900 of round 0"),
        ((*TURN, "--samples", "1"), "--samples"),
        ((*TURN, "--precision", "0"), "--precision"),
        ((*TURN, "--goal", "glory"), "margin, wins"),
        ((*TURN, "--policy", "tunde"), "did you mean 'tuned'"),
    ],
)
def test_what_cannot_be_answered_is_said(run, in_folder, words, says):
    result = run("advise", *words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_a_wrong_entry_is_named_with_its_file(run, position):
    text = position.read_text(encoding="utf-8").replace("W4 W5 W8", "W4 W8 W5")
    position.write_text(text, encoding="utf-8")
    result = run("advise", position)
    assert result.exit_code == 2
    assert f"{position}: mine: W5 cannot follow W4 W8" in result.stderr


@pytest.mark.parametrize("is_endless", [True, False], ids=["endless", "at once"])
def test_a_policy_that_never_answers_ends_the_command(is_endless, position):
    (position.parent / "mine.py").write_text(
        "from lcsim.duel import Strategy\n\n\n"
        "class Mine(Strategy):\n"
        '    """Counts for ever."""\n\n'
        "    def lay(self, view, card):\n"
        "        n = 0.0\n"
        f"        while n < {'1e300' if is_endless else '10'}:\n"
        "            n += 1.0\n"
        "        return n\n\n"
        "    def discard(self, view, card):\n"
        "        return 0.0\n\n"
        "    def draw(self, view, card):\n"
        "        return -1.0\n",
        encoding="utf-8",
    )
    words = [sys.executable, "-m", "lcsim.cli.app", "advise", str(position), "--samples", "2"]
    words += ["--policy", str(position.parent / "mine.py"), "--decision-limit", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == (3 if is_endless else 0), done.stderr
    if is_endless:
        assert "mine broke when it played on" in done.stderr
        assert "no answer within 1 s" in done.stderr
        assert f"{position.parent / 'mine.py'}, line 7: " in done.stderr
        assert "Mend what takes so long there" in done.stderr
        assert "None" not in done.stderr


def test_the_board_game_is_advised_on(run, in_folder):
    words = ("balanced", "steady", "racer", "--ruleset", "board-short", "--turn", "20")
    more = ("--policy", "steady", "--samples", "60", "--json")
    answer = json.loads(run("advise", *words, *more).stdout)
    assert len(answer["position"]["others"]) == 2
    assert any(move["move"].startswith("discard ") for move in answer["moves"])
    text = run("advise", *words, "--write").stdout
    (in_folder / "p.toml").write_text(text, encoding="utf-8")
    again = json.loads(run("advise", "p.toml", *more).stdout)
    assert again["moves"] == answer["moves"]
    lines = run("advise", "p.toml", *more[:-1]).stdout.splitlines()
    other = answer["position"]["others"][1]
    assert any(line.split() == ["others[1].pawns", *other["pawns"].split()] for line in lines)
