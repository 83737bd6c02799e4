"""`lcsim report` elsewhere than in the run's folder, and the commands that it prints."""

import json
import re
import shlex
import subprocess
import sys

import pytest

MATCHES = {
    "duel": ["ladder", "random-legal", "--ruleset", "duel:expedition_cost=10", "--seed", "5"],
    "board": ["steady", "racer", "collector", "--ruleset", "board", "--seed", "6"],
}


@pytest.fixture(scope="module", params=MATCHES)
def played(request, tmp_path_factory):
    """A small run of each game, with its report written into another folder."""
    folder = tmp_path_factory.mktemp(request.param)
    for words in (
        ["match", *MATCHES[request.param], "--games", "90", "--out", "kept"],
        ["report", "kept", "--out", "shown/here"],
    ):
        command = [sys.executable, "-m", "lcsim.cli.app", *words]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return folder


def test_the_links_lead_to_the_sources(played):
    here = played / "shown" / "here"
    page = (here / "report.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="([^"#:]+\.py)"', page))
    text = (here / "report.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((.+?\.py)\)", text)) == links
    assert len(links) >= 2
    for link in links:
        assert "Strategy" in (here / link).read_text(encoding="utf-8")
    assert "../../kept/" in text


@pytest.mark.parametrize("extreme", ["largest_margin", "highest_score", "lowest_score"])
def test_a_printed_command_shows_the_game_with_that_score(extreme, played, run):
    tables = json.loads((played / "shown/here/report.json").read_text(encoding="utf-8"))["tables"]
    row = next(row for row in tables["extremes"] if row["extreme"] == extreme)
    words = shlex.split(row["command"])
    game = json.loads(run(*words[1:], "--json").stdout)
    totals = {game["strategies"][i]: game["totals"][seat] for i, seat in enumerate(game["seats"])}
    own = totals.pop(row["strategy"])
    assert row["value"] == (own - max(totals.values()) if extreme == "largest_margin" else own)
    assert row["command"] in (played / "shown/here/report.md").read_text(encoding="utf-8")


def test_the_longest_round_is_as_long_as_it_is_said_to_be(played, run):
    tables = json.loads((played / "shown/here/report.json").read_text(encoding="utf-8"))["tables"]
    row = next(row for row in tables["extremes"] if row["extreme"] == "longest_round")
    game = json.loads(run(*shlex.split(row["command"])[1:], "--json").stdout)
    assert len(game["rounds"][row["round"]]["turns"]) == row["value"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            (".", "--format", "nope"),
            2,
            "--format is 'nope', and must be one of html, md, json, csv",
        ),
        ((".", "--format", "jsn"), 2, "Did you mean 'json'?"),
        ((".",), 4, "or `lcsim tune` wrote"),
        (("nowhere",), 4, "lcsim tune … --out nowhere"),
    ],
)
def test_what_cannot_be_reported_on_is_said(run, in_folder, words, code, says):
    result = run("report", *words)
    assert result.exit_code == code
    assert says in result.stderr
    assert "Value error" not in result.stderr
