"""The duel's rules as data: every number the card game has, and where each comes from."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from lcsim.errors import RulesetError
from lcsim.rules.duel.cards import FIRST_NUMBER, MAX_COLORS, make_card
from lcsim.rules.ruleset import Source, check_fields, rule, write_spec
from lcsim.wording import pluralise

KIND = "duel"
SEATS = 2

_SHEET_A = "rule sheet of an older shop edition"
_SHEET_B = "rule sheet of Le Duel (2018)"
_ALL = "rule sheets of both editions"
_SILENT = "the rule sheet is silent"


@dataclasses.dataclass(frozen=True)
class DuelRuleset:
    """The rules of one card game; see rule helps for the meaning of each field."""

    preset: str
    colors: int = rule(5, help="colors of cards", low=1, high=MAX_COLORS)
    wagers_per_color: int = rule(3, help="wagers of each color", low=0, high=3)
    lowest_rank: int = rule(2, help="lowest number card of each color", low=2, high=10)
    highest_rank: int = rule(10, help="highest number card of each color", low=2, high=10)
    hand_size: int = rule(8, help="cards in a hand", low=1, high=35)
    expedition_cost: int = rule(20, help="points an opened expedition costs", low=0, high=200)
    bonus_cards: int = rule(
        8,
        help="cards, wagers counted, that earn an expedition the bonus; 0 for never",
        low=0,
        high=12,
    )
    bonus_points: int = rule(20, help="the bonus in points, never multiplied", low=0, high=1000)
    rounds: int = rule(3, help="rounds of a game", low=1, high=1000)
    next_starter: str = rule(
        "leader", help="who starts the next round", choices=("alternate", "leader")
    )
    redraw_own_discard: bool = rule(False, help="may a seat draw the card it has just discarded")
    direction: str = rule(
        "ascending", help="order of the numbers of an expedition", choices=("ascending", "either")
    )
    turn_limit: int = rule(
        400, help="turns after which a round is scored as it stands", low=1, high=30000
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.lowest_rank > self.highest_rank:
            raise RulesetError(
                f"{self.preset}: lowest_rank={self.lowest_rank} is above "
                f"highest_rank={self.highest_rank}",
                hint="Give a lowest_rank that is at most the highest_rank.",
            )
        if SEATS * self.hand_size >= self.deck_size:
            raise RulesetError(
                f"{self.preset}: hand_size={self.hand_size} leaves no draw pile of the "
                f"{self.deck_size} {pluralise(self.deck_size, 'card')}",
                hint=f"With this deck hand_size is at most {(self.deck_size - 1) // SEATS}.",
            )

    @property
    def kind(self) -> str:
        """The game: "duel"."""
        return KIND

    @property
    def spec(self) -> str:
        """The canonical text: the preset and the fields that differ from it."""
        return write_spec(self, PRESETS[self.preset])

    @property
    def deck_size(self) -> int:
        """Number of cards in the deck."""
        return self.colors * (self.wagers_per_color + self.highest_rank - self.lowest_rank + 1)

    @property
    def sources(self) -> Mapping[str, Source]:
        """Where each field's value in the preset comes from."""
        return SOURCES[self.preset]


def build_deck(ruleset: DuelRuleset) -> list[int]:
    """Return the deck in canonical order: color by color, wagers first, then ranks rising."""
    indices = [
        *range(ruleset.wagers_per_color),
        *range(ruleset.lowest_rank + 1, ruleset.highest_rank + 2),
    ]
    return [make_card(color, index) for color in range(ruleset.colors) for index in indices]


def build_color_mask(ruleset: DuelRuleset) -> int:
    """Return the mask of the cards that each color has in this deck."""
    wagers = (1 << ruleset.wagers_per_color) - 1
    numbers = (1 << (ruleset.highest_rank + 2)) - (1 << (ruleset.lowest_rank + 1))
    return wagers | (numbers >> FIRST_NUMBER << FIRST_NUMBER)


# The ruleset as the kernel sees it: numbers in a record, so no ruleset needs a compilation.
RULES_DTYPE = np.dtype(
    [
        ("colors", "i8"),
        ("color_mask", "i8"),
        ("deck_size", "i8"),
        ("hand_size", "i8"),
        ("expedition_cost", "i8"),
        ("bonus_cards", "i8"),
        ("bonus_points", "i8"),
        ("rounds", "i8"),
        ("leader_starts", "i8"),
        ("redraw_own_discard", "i8"),
        ("either", "i8"),
        ("turn_limit", "i8"),
    ]
)


def build_record(ruleset: DuelRuleset) -> Any:
    """Return the ruleset as a 0-d record of RULES_DTYPE."""
    values = {
        "color_mask": build_color_mask(ruleset),
        "deck_size": ruleset.deck_size,
        "leader_starts": ruleset.next_starter == "leader",
        "either": ruleset.direction == "either",
    }
    row = tuple(
        int(values[name] if name in values else getattr(ruleset, name))
        for name in RULES_DTYPE.names or ()
    )
    return np.array([row], RULES_DTYPE)[0]


PRESETS: Mapping[str, DuelRuleset] = {
    "classic": DuelRuleset(
        "classic", bonus_cards=0, bonus_points=0, rounds=1, next_starter="alternate"
    ),
    "duel": DuelRuleset("duel"),
    "duel-long": DuelRuleset("duel-long", colors=6),
}

_LIMIT = Source("no rule sheet limits a round", assumed=True)
_COMMON = {
    "wagers_per_color": Source(_ALL),
    "lowest_rank": Source(_ALL),
    "highest_rank": Source(_ALL),
    "hand_size": Source(_ALL),
    "expedition_cost": Source(_ALL),
    "direction": Source(_ALL),
    "turn_limit": _LIMIT,
}
_LE_DUEL = {
    **_COMMON,
    "colors": Source(_SHEET_B),
    "bonus_cards": Source(_SHEET_B),
    "bonus_points": Source(_SHEET_B),
    "rounds": Source(_SHEET_B),
    "next_starter": Source(
        f"{_SHEET_B}, silent on ties: then who did not start the last", assumed=True
    ),
    "redraw_own_discard": Source(f"{_SHEET_A}; that of Le Duel is silent"),
}
SOURCES: Mapping[str, Mapping[str, Source]] = {
    "classic": {
        **_COMMON,
        "colors": Source(_SHEET_A),
        "bonus_cards": Source(f"{_SHEET_A}, which has no bonus"),
        "bonus_points": Source(f"{_SHEET_A}, which has no bonus"),
        "rounds": Source(f"{_SHEET_A}: any number agreed beforehand"),
        "next_starter": Source(_SILENT, assumed=True),
        "redraw_own_discard": Source(_SHEET_A),
    },
    "duel": _LE_DUEL,
    "duel-long": {**_LE_DUEL, "colors": Source("Le Duel's long game, with the purple cards")},
}
