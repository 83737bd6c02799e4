"""Golden playthroughs: one game in words for every preset, and none missing.

`make golden` writes them anew; read the difference before committing it.
"""

import os
from pathlib import Path

import pytest

from lcsim.rules import GAMES, get_game, list_presets, parse_ruleset
from lcsim.strategy import load_strategy

GOLDEN = Path(__file__).parent / "golden"
CASES = [
    (kind, preset, n_players)
    for kind, preset in list_presets()
    for n_players in GAMES[kind].player_counts
]
SPECS = {
    "duel": ["cautious-opener", "random-legal"],
    "board": ["steady", "random-legal", "steady", "random-legal"],
}


def file_of(preset, n_players):
    return GOLDEN / f"{preset}-{n_players}-players.txt"


@pytest.mark.parametrize(("kind", "preset", "n_players"), CASES)
def test_the_playthrough_is_as_committed(kind, preset, n_players):
    game = get_game(kind)
    strategies = [load_strategy(spec, kind=kind).decider for spec in SPECS[kind][:n_players]]
    record = game.replay(parse_ruleset(preset), seed=42, deal=7, rotation=1, strategies=strategies)
    told = game.render_replay(record) + "\n"
    path = file_of(preset, n_players)
    if os.environ.get("LCSIM_GOLDEN"):
        path.write_text(told, encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing: `make golden` writes it"
    assert path.read_text(encoding="utf-8") == told


def test_no_playthrough_is_left_over():
    wanted = {file_of(preset, n_players).name for _, preset, n_players in CASES}
    assert {path.name for path in GOLDEN.iterdir()} == wanted
