"""The board game's rules as data: every number it has, and where each comes from."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from lcsim.errors import RulesetError
from lcsim.rules.board.cards import COLORS, HIGHEST_RANK, MAX_COLORS, MAX_COPIES, SECOND, make_card
from lcsim.rules.board.presets import SOURCES
from lcsim.rules.ruleset import Numbers, Source, check_fields, rule, write_spec, write_value
from lcsim.wording import pluralise

KIND = "board"
MIN_SEATS, MAX_SEATS = 2, 4
MAX_SPACES = 12
MAX_ARTEFACT_ENTRIES = 32
NO_TILE, ARTEFACT, STEP = 0, -1, -2  # a VP tile is its points


@dataclasses.dataclass(frozen=True)
class BoardRuleset:
    """The rules of one board game; see rule helps for the meaning of each field."""

    preset: str
    colors: int = rule(5, help="colors of cards, each with its path", low=1, high=MAX_COLORS)
    copies: int = rule(2, help="cards of each rank and color", low=1, high=MAX_COPIES)
    lowest_rank: int = rule(0, help="lowest card of each color", low=0, high=HIGHEST_RANK)
    highest_rank: int = rule(10, help="highest card of each color", low=0, high=HIGHEST_RANK)
    hand_size: int = rule(8, help="cards in a hand", low=1, high=54)
    removed_cards: tuple[int, ...] = rule(
        (30,),
        help="cards taken unseen out of each round, by number of players from 2 on; none for more",
        low=0,
        high=109,
        length=(1, MAX_SEATS - MIN_SEATS + 1),
    )
    rounds: int = rule(3, help="rounds of a game", low=1, high=1000)
    space_points: tuple[int, ...] = rule(
        (-20, -15, -10, 5, 10, 15, 30, 35, 50),
        help="points of a pawn by its space, the first space first",
        low=-1000,
        high=1000,
        length=(2, MAX_SPACES),
    )
    bridge_after: int = rule(
        6, help="the bridge: a pawn beyond this space has crossed", low=1, high=MAX_SPACES
    )
    crossings_to_end: int = rule(
        5, help="crossings, of all players and paths, that end a round", low=1, high=20
    )
    explorers: int = rule(4, help="explorers of each player, beside the leader", low=0, high=5)
    leader_factor: int = rule(2, help="what the leader's space counts", low=0, high=100)
    artefact_tiles: int = rule(9, help="artefact tiles", low=0, high=60)
    step_tiles: int = rule(9, help="step tiles", low=0, high=60)
    vp_tiles: tuple[int, ...] = rule(
        (5, 5, 10, 10, 10, 15, 15),
        help="points of the VP tiles",
        low=1,
        high=1000,
        length=(0, 60),
    )
    tile_places: tuple[tuple[int, ...], ...] = rule(
        ((3, 5, 6, 7, 9), (2, 4, 5, 7, 9), (2, 3, 5, 7, 9), (3, 4, 6, 7, 9), (2, 4, 5, 7, 9)),
        help="spaces with a tile, rising, color by color",
        low=0,
        high=MAX_SPACES,
        length=(0, MAX_SPACES),
    )
    artefact_points: tuple[int, ...] = rule(
        (-25, -20, -15, -10, -5, -5, 30, 35, 40, 70),
        help="points for artefacts at the end of the game, by number: none, 1, 2, …; "
        "the last entry also for more",
        low=-1000,
        high=1000,
        length=(2, MAX_ARTEFACT_ENTRIES),
    )
    direction: str = rule(
        "ascending", help="order of the ranks of a row", choices=("ascending", "either")
    )
    opening: str = rule(
        "extreme",
        help="first card of a row: the lowest of its color in hand (`either`: or the highest), "
        "or any",
        choices=("extreme", "any"),
    )
    redraw_own_discard: bool = rule(False, help="may a seat draw the card it has just discarded")
    next_starter: str = rule(
        "after-last-advance",
        help="who starts the next round: the seat after the last to advance a pawn, or after the "
        "last starter",
        choices=("after-last-advance", "after-last-starter"),
    )
    turn_limit: int = rule(
        400, help="turns after which a round is scored as it stands", low=1, high=30000
    )

    def __post_init__(self) -> None:
        check_fields(self)
        while len(self.removed_cards) > 1 and not self.removed_cards[-1]:
            object.__setattr__(self, "removed_cards", self.removed_cards[:-1])
        self._check_cards()
        self._check_board()

    def _check_cards(self) -> None:
        if self.lowest_rank > self.highest_rank:
            raise RulesetError(
                f"{self.preset}: lowest_rank={self.lowest_rank} is above "
                f"highest_rank={self.highest_rank}",
                hint="Give a lowest_rank that is at most the highest_rank.",
            )
        if all(self._count_spare(n) < 1 for n in range(MIN_SEATS, MAX_SEATS + 1)):
            raise RulesetError(
                f"{self.preset}: removed_cards={write_value(self.removed_cards)} and "
                f"hand_size={self.hand_size} leave no draw pile of the {self.deck_size} "
                f"{pluralise(self.deck_size, 'card')}, for any number of players",
                hint=_advise(self, MIN_SEATS),
            )

    def _check_board(self) -> None:
        if self.bridge_after > self.last_space:
            raise RulesetError(
                f"{self.preset}: bridge_after={self.bridge_after} is beyond the last space, "
                f"{self.last_space}",
                hint="space_points has an entry a space; the bridge lies after one of them.",
            )
        if len(self.tile_places) != self.colors:
            raise RulesetError(
                f"{self.preset}: tile_places has {len(self.tile_places)} paths, and there are "
                f"{self.colors} colors",
                hint=f"Give the spaces of {' '.join(COLORS[: self.colors])}, none for a path "
                "without tiles.",
            )
        for color, places in zip(COLORS, self.tile_places, strict=False):
            wrong = [place for place in places if not 2 <= place <= self.last_space]
            if wrong:
                raise RulesetError(
                    f"{self.preset}: tile_places puts a tile on space {wrong[0]} of {color}",
                    hint=f"Tiles lie on spaces 2 to {self.last_space}: pawns start on space 1.",
                )
            if list(places) != sorted(set(places)):
                raise RulesetError(
                    f"{self.preset}: tile_places of {color} is {'/'.join(map(str, places))}",
                    hint="Give each space of a path once, rising.",
                )
        n_places, n_tiles = sum(map(len, self.tile_places)), len(build_tiles(self))
        if n_places != n_tiles:
            raise RulesetError(
                f"{self.preset}: tile_places has {n_places} {pluralise(n_places, 'place')} for "
                f"{n_tiles} {pluralise(n_tiles, 'tile')}",
                hint=f"One place for each: artefact_tiles={self.artefact_tiles}, "
                f"step_tiles={self.step_tiles} and {len(self.vp_tiles)} in vp_tiles.",
            )

    def _count_spare(self, n_players: int) -> int:
        """Return the cards of the draw pile when all are dealt; negative for cards that lack."""
        return self.deck_size - self.removed(n_players) - n_players * self.hand_size

    def removed(self, n_players: int) -> int:
        """Return how many cards are taken out of each round with that many players."""
        place = n_players - MIN_SEATS
        return self.removed_cards[place] if place < len(self.removed_cards) else 0

    @property
    def kind(self) -> str:
        """The game: "board"."""
        return KIND

    @property
    def spec(self) -> str:
        """The canonical text: the preset and the fields that differ from it."""
        return write_spec(self, PRESETS[self.preset])

    @property
    def deck_size(self) -> int:
        """Number of cards in the deck."""
        return self.colors * self.copies * (self.highest_rank - self.lowest_rank + 1)

    @property
    def last_space(self) -> int:
        """The last space of every path, where a lost city is."""
        return len(self.space_points)

    @property
    def sources(self) -> Mapping[str, Source]:
        """Where each field's value in the preset comes from."""
        return SOURCES[self.preset]


def check_players(ruleset: BoardRuleset, n_players: int) -> None:
    """Raise RulesetError where the deck is too small for a game of `n_players`."""
    removed, hands = ruleset.removed(n_players), n_players * ruleset.hand_size
    if removed + hands >= ruleset.deck_size:
        raise RulesetError(
            f"{ruleset.preset}: with {n_players} players removed_cards={removed} and "
            f"hand_size={ruleset.hand_size} leave no draw pile of the {ruleset.deck_size} "
            f"{pluralise(ruleset.deck_size, 'card')}",
            hint=_advise(ruleset, n_players),
        )


def _advise(ruleset: BoardRuleset, n_players: int) -> str:
    """Return what would leave a draw pile for so many players: fewer removed, smaller hands."""
    enough = ruleset.deck_size - 1  # one is left to draw
    spare, hand = enough - n_players * ruleset.hand_size, enough // n_players
    smaller = (enough - ruleset.removed(n_players)) // n_players
    ways = []
    if spare >= 0:
        ways.append(f"remove at most {spare} {pluralise(spare, 'card')}")
    if smaller > 0:
        ways.append(f"deal hands of at most {smaller}")
    if not ways and hand > 0:
        ways.append(f"remove none and deal hands of at most {hand}")
    if not ways:
        ways.append("give the deck more colors, copies or ranks")
    advice = ", or ".join(ways)
    return f"{advice[0].upper()}{advice[1:]}."


def build_deck(ruleset: BoardRuleset) -> list[int]:
    """Return the deck in canonical order: color by color, ranks rising, equal cards together."""
    return [
        make_card(color, rank)
        for color in range(ruleset.colors)
        for rank in range(ruleset.lowest_rank, ruleset.highest_rank + 1)
        for _ in range(ruleset.copies)
    ]


def build_tiles(ruleset: BoardRuleset) -> list[int]:
    """Return the tiles in canonical order: artefacts, steps, then the points of the VP tiles."""
    artefacts, steps = [ARTEFACT] * ruleset.artefact_tiles, [STEP] * ruleset.step_tiles
    return [*artefacts, *steps, *ruleset.vp_tiles]


def build_color_mask(ruleset: BoardRuleset) -> int:
    """Return the set of the cards that each color has in this deck."""
    ranks = (2 << ruleset.highest_rank) - (1 << ruleset.lowest_rank)
    return ranks | ranks << SECOND if ruleset.copies == MAX_COPIES else ranks


def pad(values: Numbers, size: int, *, first: Numbers = ()) -> tuple[int, ...]:
    """Return `first` and `values`, the last entry again and again up to `size` entries."""
    row = (*first, *values)
    return row + row[-1:] * (size - len(row))


# The ruleset as the kernel sees it: numbers in a record, so no ruleset needs a compilation.
RULES_DTYPE = np.dtype(
    [
        ("n_players", "i8"),
        ("colors", "i8"),
        ("color_mask", "i8"),
        ("hand_size", "i8"),
        ("removed", "i8"),
        ("explorers", "i8"),
        ("last_space", "i8"),
        ("bridge_after", "i8"),
        ("crossings_to_end", "i8"),
        ("leader_factor", "i8"),
        ("redraw_own_discard", "i8"),
        ("either", "i8"),
        ("open_any", "i8"),
        ("after_last_advance", "i8"),
        ("turn_limit", "i8"),
        ("space_points", "i8", (MAX_SPACES + 1,)),
        ("artefact_points", "i8", (MAX_ARTEFACT_ENTRIES,)),
    ]
)


def build_record(ruleset: BoardRuleset, n_players: int) -> Any:
    """Return the ruleset as a record of RULES_DTYPE, which views share names with."""
    values = {
        "n_players": n_players,
        "color_mask": build_color_mask(ruleset),
        "removed": ruleset.removed(n_players),
        "either": ruleset.direction == "either",
        "open_any": ruleset.opening == "any",
        "after_last_advance": ruleset.next_starter == "after-last-advance",
        "space_points": pad(ruleset.space_points, MAX_SPACES + 1, first=(0,)),
        "artefact_points": pad(ruleset.artefact_points, MAX_ARTEFACT_ENTRIES),
    }
    row = tuple(
        values[name] if name in values else getattr(ruleset, name)
        for name in RULES_DTYPE.names or ()
    )
    return np.array([row], RULES_DTYPE)[0]


_SHORT: dict[str, Any] = {"rounds": 1, "artefact_points": (-20, -15, 10, 15, 30, 50)}
PRESETS: Mapping[str, BoardRuleset] = {
    "board": BoardRuleset("board"),
    "board-short": BoardRuleset("board-short", **_SHORT),
    "board-updown": BoardRuleset("board-updown", direction="either"),
    "board-short-updown": BoardRuleset("board-short-updown", **_SHORT, direction="either"),
}
