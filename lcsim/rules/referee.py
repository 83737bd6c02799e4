"""The frame of every game's referee: who sits where, and how a decider is asked and blamed."""

from collections.abc import Callable, Sequence
from typing import Any

from lcsim.errors import StrategyBrokeError
from lcsim.rules.game import blame, order_by_seat, seat_of
from lcsim.rules.restriction import Restriction
from lcsim.rules.streams import SEAT_STREAM, Stream
from lcsim.rules.underway import decide_plainly

_ASKS_OF_A_WATCH = 3  # how often it may ask for the decision that it is shown


class Frame:
    """One game under way, at its address, with its deciders in their seats.

    A game's referee builds on it. Its tables have `round`, `turn` and `view(seat)`; `narrow_view`
    and `check_permitted` keep a seat to its restriction.
    """

    narrow_view: Callable[[Any, Restriction, str], Any]
    check_permitted: Callable[[Any, Restriction, str, int], None]

    def __init__(
        self,
        ruleset: Any,
        strategies: Sequence[Any],
        *,
        seed: int,
        deal: int,
        rotation: int,
        watch: Any = None,
    ) -> None:
        """`strategies` are by number; `watch(table, seat, decider, rng, decision)` sees all."""
        self.ruleset = ruleset
        self.strategies = strategies
        self.deciders = order_by_seat(strategies, rotation)
        self.n_seats = len(strategies)
        self.seed, self.deal, self.rotation = seed, deal, rotation
        self.watch = watch
        self.totals = [0] * self.n_seats
        self.rounds: list[dict[str, Any]] = []
        self.under_way: dict[str, Any] = {}  # the round being played, as its record begins

    def open_streams(self, round_: int) -> list[Stream]:
        """Return the random numbers of each seat in a round."""
        return [
            Stream(self.seed, self.deal, round_, SEAT_STREAM + seat) for seat in range(self.n_seats)
        ]

    def decide(
        self, table: Any, seat: int, rng: Stream, decision: str, act: Callable[[int, int], Any]
    ) -> int:
        """Ask a seat for a decision and do it, `act(seat, move)`; return the move.

        Raises StrategyBrokeError where the decider raises, or `act` a ValueError at its move.
        """
        decider = self.deciders[seat]

        def blame_decider(error: Exception) -> StrategyBrokeError:
            return blame(
                decider,
                decision,
                error,
                place=f"round {table.round}, turn {table.turn}",
                where={
                    "deal": self.deal,
                    "rotation": self.rotation,
                    "strategy": (seat - self.rotation) % self.n_seats,
                },
            )

        game = (self.ruleset, self.seed, [one.spec for one in self.strategies])
        try:
            if self.watch:
                with decide_plainly(blame_decider, game, share=_ASKS_OF_A_WATCH):
                    self.watch(table, seat, decider, rng, decision)
            view = table.view(seat)
            if decider.restriction:
                view = self.narrow_view(view, decider.restriction, decision)
            with decide_plainly(blame_decider, game):
                move = int(getattr(decider, decision)(view, rng))
            if decider.restriction:
                self.check_permitted(view, decider.restriction, decision, move)
            act(seat, move)
        except Exception as error:
            broke = blame_decider(error)
            broke.replay = {**self.open_record(), "rounds": [*self.rounds, self.under_way]}
            raise broke from error
        return move

    def open_record(self) -> dict[str, Any]:
        """Return the beginning of the game's replay: its address and who plays."""
        return {
            "kind": self.ruleset.kind,
            "ruleset": self.ruleset.spec,
            "seed": self.seed,
            "deal": self.deal,
            "rotation": self.rotation,
            "strategies": [strategy.spec for strategy in self.strategies],
            "seats": [
                seat_of(number, self.rotation, self.n_seats) for number in range(self.n_seats)
            ],
        }


def explain_pile(move: int, drawable: int, n_colors: int, draw_deck: int) -> str:
    """Return what is wrong with a draw that is none, and what is open."""
    piles = [str(color) for color in range(n_colors) if drawable >> color & 1]
    return (
        f"{move} is not a pile to draw from now: {draw_deck} is the draw pile, "
        f"and the discard piles open are {', '.join(piles) or 'none'}"
    )
