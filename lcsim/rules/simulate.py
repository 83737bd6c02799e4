"""What simulations share: tables of any game, and the tools that strategies use on them.

A table holds one situation of a round, as a view shows it: a record, whose layout is its game's
(lcsim.rules.duel.simulate, lcsim.rules.board.simulate). `deal_world` deals what the view does not
show. World number w of a table is always the same one, so that every move can be tried on the same
worlds. `try_move` makes a move there and lets a guest play on for all seats.

The tools are compiled once a game. Strategies reach them by address, plain Python calls them.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types
from numba.extending import overload, register_jitable

from lcsim.rules.guest import ASK_GUEST, DEAL_WORLD, LAY_OUT, TRY_MOVE, read_guest
from lcsim.rules.kernel import load_tools, write_view
from lcsim.rules.pointers import build_function_reader, find_address
from lcsim.rules.streams import random_below

ME = 0  # the seat of the view
NUMBERS = 2**32 - 1  # of tables: each has worlds of its own

_simulations: dict[np.dtype[Any], "Simulation"] = {}


class Simulation:
    """A game's simulation: what its tables are, and its compiled tools.

    The module of that name has the functions that are the tools: `lay_out_table`, `deal_table`,
    `try_on_table` and `ask_at_table`, and `signatures` as its SIGNATURES. `title` is what the user
    calls it.
    """

    def __init__(self, module: str, *, table: Any, view: Any, title: str) -> None:
        self.module, self.title = module, title
        self.table_dtype, self.view_dtype = table, view
        tables = from_dtype(table)[::1]
        self.signatures = {
            "lay_out_table": types.int64(tables, from_dtype(view), types.uint64, types.uint64),
            "deal_table": types.int64(tables, types.int64),
            "try_on_table": types.int64(tables, types.int64),
            "ask_at_table": types.int64(tables),
        }
        _simulations[table] = self

    def load_tools(self, notify: Callable[[str], None] | None = None) -> tuple[Any, ...]:
        """Return the compiled tools, in the order of their numbers; `notify` hears of compiling."""
        return load_tools(sys.modules[self.module], title=self.title, notify=notify)

    def find_tools(self, notify: Callable[[str], None] | None = None) -> list[int]:
        """Return the addresses of the compiled tools, in the order of their numbers."""
        tools = zip(self.load_tools(notify), self.signatures.values(), strict=True)
        return [find_address(tool, signature) for tool, signature in tools]

    def lay_out(self, view: Any, guest: Any, rng: Any) -> npt.NDArray[Any]:
        """Return a table, (2,), with what a referee's view shows, on which `guest` will play.

        One number of `rng` says which worlds it has. The second record is room for trying moves.
        """
        table = np.zeros(2, self.table_dtype)
        number, record = random_below(rng, NUMBERS), write_view(view, self.view_dtype)
        self.load_tools()[LAY_OUT](table, record, np.uint64(guest.address), number)
        return table

    def compile_lay_out(self) -> Any:
        """Return the implementation of `lay_out` for compiled strategies."""
        table_dtype = self.table_dtype
        read_tool = build_function_reader(self.signatures["lay_out_table"])

        def lay_out(view, guest, rng):
            table = np.zeros(2, table_dtype)
            number = np.uint64(random_below(rng, NUMBERS))
            read_tool(read_guest(guest).tools[LAY_OUT])(table, view, guest, number)
            return table

        return lay_out


@register_jitable
def note_decision(guest, decision):
    """Leave word of the decision that a guest is asked for now, where somebody watches.

    Nobody does where threads share the record: writing it would slow all of them.
    """
    if guest.is_watched:
        guest.asked = decision


# -- for strategies and plain Python --------------------------------------------------------------


def deal_world(table: npt.NDArray[Any], world: int) -> None:
    """Deal the hidden cards of world number `world` onto a table."""
    _find_tools(table)[DEAL_WORLD](table, world)


def try_move(table: npt.NDArray[Any], move: int) -> int:
    """Return the margin of the round, in points, if the seat to move makes `move` in this world.

    A table laid out before a play takes a play, one before a draw a draw, one before a step a step.
    In the board game the margin is that to the best other seat at the end of the round, artefacts
    valued by what they can be expected to become; so in the last round it is that of the game. The
    table stays as it is.

    Raises:
        ValueError: the move is not legal, or one of the guest's is not.
    """
    return int(_find_tools(table)[TRY_MOVE](table, move))


def ask_guest(table: npt.NDArray[Any]) -> int:
    """Return the move that the guest makes in the place of the seat to move."""
    return int(_find_tools(table)[ASK_GUEST](table))


def _find_tools(table: npt.NDArray[Any]) -> tuple[Any, ...]:
    return _simulations[table.dtype].load_tools()


@overload(deal_world)
def _deal_world(table, world):
    read_tool = build_function_reader(types.int64(table, types.int64))

    def deal_world(table, world):
        read_tool(read_guest(table[0].guest).tools[DEAL_WORLD])(table, np.int64(world))

    return deal_world


@overload(try_move)
def _try_move(table, move):
    read_tool = build_function_reader(types.int64(table, types.int64))

    def try_move(table, move):
        return read_tool(read_guest(table[0].guest).tools[TRY_MOVE])(table, np.int64(move))

    return try_move


@overload(ask_guest)
def _ask_guest(table):
    read_tool = build_function_reader(types.int64(table))

    def ask_guest(table):
        return read_tool(read_guest(table[0].guest).tools[ASK_GUEST])(table)

    return ask_guest
