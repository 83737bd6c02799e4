"""How the games are played. This is the one list of them: a game of GAMES is known everywhere."""

from collections.abc import Mapping
from typing import Any

from lcsim.errors import UnknownNameError
from lcsim.rules import board, duel
from lcsim.rules.game import Compiled, Decider, Game, Settled
from lcsim.rules.ruleset import FieldNote, Ruleset, override, split_spec

GAMES: Mapping[str, Game] = {game.kind: game for game in (duel.GAME, board.GAME)}

__all__ = [
    "GAMES",
    "Compiled",
    "Decider",
    "FieldNote",
    "Game",
    "Ruleset",
    "Settled",
    "build_ruleset",
    "get_game",
    "list_presets",
    "parse_ruleset",
]


def get_game(kind: str) -> Game:
    """Return the game of that kind; raises UnknownNameError."""
    if kind not in GAMES:
        raise UnknownNameError("kind of game", kind, GAMES)
    return GAMES[kind]


def list_presets() -> list[tuple[str, str]]:
    """Return (kind, name) of every preset."""
    return [(game.kind, name) for game in GAMES.values() for name in game.presets]


def build_ruleset(preset: str, changes: Mapping[str, Any]) -> Any:
    """Return the preset of that name with fields changed; values are typed or text."""
    for game in GAMES.values():
        if preset in game.presets:
            return override(game.presets[preset], changes)
    names = [name for _, name in list_presets()]
    raise UnknownNameError("ruleset", preset, names, hint="`lcsim rules list` describes them.")


def parse_ruleset(text: str) -> Any:
    """Return the ruleset written as `preset` or `preset:field=value,field=value`."""
    return build_ruleset(*split_spec(text))
