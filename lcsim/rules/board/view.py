"""What a seat may see of the board game: its hand, and what is public. Nothing else is shown.

The kernel keeps one record of VIEW_DTYPE a seat; the referee builds a `View`, which has the same
fields as plain integers and tuples.

Fields of five entries are by color. Those of three are by opponent, in the order in which they play
after me, and those of three by five by opponent and color: `view.their_spaces[0][color]` is where
the next player's pawn stands; of players who are not in the game all is 0, the leader -1. Sets of
cards count (bit r: rank r is there, bit 16 + r: twice); sets of ranks are their low half alone.
"""

from typing import Annotated, NamedTuple, get_type_hints

import numpy as np

from lcsim.rules.board.cards import MAX_COLORS
from lcsim.rules.board.ruleset import MAX_ARTEFACT_ENTRIES, MAX_SEATS, MAX_SPACES

MAX_OTHERS = MAX_SEATS - 1

Colors = Annotated[tuple[int, ...], (MAX_COLORS,)]
Others = Annotated[tuple[int, ...], (MAX_OTHERS,)]
OthersColors = Annotated[tuple[tuple[int, ...], ...], (MAX_OTHERS, MAX_COLORS)]
Spaces = Annotated[tuple[int, ...], (MAX_SPACES + 1,)]
Tiles = Annotated[tuple[tuple[int, ...], ...], (MAX_COLORS, MAX_SPACES + 1)]
Artefacts = Annotated[tuple[int, ...], (MAX_ARTEFACT_ENTRIES,)]


class View(NamedTuple):
    """What a seat sees at one of its decisions."""

    my_points: int  # of the rounds before, and the VP tiles of this one
    their_points: Others
    hand: Colors  # sets of cards: my hand
    mine: Colors  # sets of cards: my rows
    theirs: OthersColors  # sets of cards: the opponents' rows
    accepts: Colors  # ranks that my rows still accept, in my hand or not
    their_accepts: OthersColors  # ranks that the opponents' rows still accept
    playable: Colors  # ranks of the cards in my hand that may be laid now
    discarded: Colors  # sets of cards: the discard piles
    known_theirs: OthersColors  # sets of cards I have seen them take, and that they still hold
    discard_top: Colors  # codes: top card of each discard pile, -1 for none
    drawable: int  # mask over colors: discard piles that may be drawn from now
    spaces: Colors  # where my pawns stand: 1 to last_space, 0 for a path not started
    their_spaces: OthersColors
    leader: int  # color of the path my leader is on, -1 while it is free
    their_leaders: Others
    may_lead: int  # 1 where my leader may start the next expedition
    explorers: int  # explorers of mine that are still free
    movable: int  # mask over colors: pawns of mine that a step can move
    tiles: Tiles  # [color][space]: NO_TILE, ARTEFACT, STEP, or the points of a VP tile
    artefacts: int  # mine, those of this round included
    their_artefacts: Others
    crossings: int  # pawns of all players beyond a bridge
    deck_left: int  # cards in the draw pile
    turn: int  # turns of this round before this one, of all seats
    round: int
    rounds: int
    n_players: int
    colors: int  # the ruleset, from here on
    color_mask: int  # set of the cards that each color has
    hand_size: int
    removed: int  # cards taken unseen out of this round
    either: int  # 1 where rows may rise or fall
    open_any: int  # 1 where any card may begin a row
    last_space: int
    space_points: Spaces  # by space; 0 for a path not started
    bridge_after: int  # a pawn beyond this space has crossed
    crossings_to_end: int
    leader_factor: int
    artefact_points: Artefacts  # by number held at the end of the game; the last also for more
    turn_limit: int


VIEW_DTYPE = np.dtype(
    [
        (name, "i4", *getattr(kind, "__metadata__", ()))
        for name, kind in get_type_hints(View, include_extras=True).items()
    ]
)
assert VIEW_DTYPE.itemsize % 8 == 0, "a field too many or too few for whole words"
VIEW_WORDS = VIEW_DTYPE.itemsize // 8

# The seats' views, and one to compare: one record, whose parts are reached without counting
# references.
SIGHT_DTYPE = np.dtype([("seen", VIEW_DTYPE, (MAX_SEATS + 1,))])
