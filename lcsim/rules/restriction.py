"""What may be forbidden to one seat: a kind of move, always or at one turn of a round.

Written after a strategy's spec: `balanced@no-wagers`, `balanced@no-lay=Rw:0.12+max-expeditions=4`.
Items are joined by `+`; `:round.turn`, both counted from 0, limits an item to that one turn. The
engine narrows what the seat's view offers, so a strategy takes its best other move; a deciding one
that makes a forbidden move all the same has broken. What a seat may not do, it alone knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from lcsim.errors import SpecError, UnknownNameError, UsageError

COLOR_SLOTS = 8
NO_BOUND = 99
NO_WAGERS, NO_LAY, NO_DISCARD_DRAWS = "no-wagers", "no-lay", "no-discard-draws"
PLAY = "choose_play"  # the decision that an item for one turn is about, beside the draw
MAX_EXPEDITIONS, NO_LEADER = "max-expeditions", "no-leader"

ITEMS = (NO_WAGERS, NO_LAY, NO_DISCARD_DRAWS, MAX_EXPEDITIONS, NO_LEADER)  # of all games

_LIMIT_FIELDS = [
    ("deny", "i4", (COLOR_SLOTS,)),  # masks by color: cards that may not be laid
    ("max_open", "i4"),  # expeditions of a round that may be opened
    ("no_draws", "i4"),  # 1 where only the draw pile may be drawn from
    ("no_leader", "i4"),  # 1 where no expedition may start with the leader
]
LIMITS_DTYPE = np.dtype(
    [
        ("used", "i4"),  # 0 for a seat that may do all that the rules allow
        ("round", "i4"),  # the turn at which `once` holds beside `always`; -1 for none
        ("turn", "i4"),
        ("unused", "i4"),
        ("always", _LIMIT_FIELDS),
        ("once", _LIMIT_FIELDS),
    ]
)


class Limit(NamedTuple):
    """What a seat may not do now."""

    deny: tuple[int, ...] = (0,) * COLOR_SLOTS
    max_open: int = NO_BOUND
    no_draws: int = 0
    no_leader: int = 0

    def joined(self, other: "Limit") -> "Limit":
        """Return the limit that forbids what either forbids."""
        return Limit(
            tuple(a | b for a, b in zip(self.deny, other.deny, strict=True)),
            min(self.max_open, other.max_open),
            self.no_draws | other.no_draws,
            self.no_leader | other.no_leader,
        )


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Restriction:
    """A parsed restriction; it is false where nothing is forbidden."""

    text: str = ""
    always: Limit = NO_LIMIT
    once: Limit = NO_LIMIT
    round: int = -1
    turn: int = -1

    def __bool__(self) -> bool:
        return bool(self.text)

    def at(self, round_: int, turn: int) -> Limit:
        """Return what is forbidden at a turn of a round."""
        if (round_, turn) == (self.round, self.turn):
            return self.always.joined(self.once)
        return self.always

    def write_record(self, record: Any) -> None:
        """Fill a record of LIMITS_DTYPE."""
        record["used"], record["round"], record["turn"] = bool(self), self.round, self.turn
        for name in ("always", "once"):
            limit: Limit = getattr(self, name)
            for field, value in limit._asdict().items():
                record[name][field] = value


FREE = Restriction()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a game's seats can be forbidden: items, the cards denied by one's name, and by wagers.

    `deny_card` gives (color, mask) of the cards that a name stands for, and their canonical name;
    it raises UsageError.
    """

    items: tuple[str, ...]
    deny_card: Callable[[str], tuple[int, int, str]]
    wager_mask: int = 0


def parse_restriction(text: str, vocabulary: Vocabulary) -> Restriction:
    """Parse what stands after the `@` of a spec; raises SpecError or UnknownNameError."""
    if not text:
        return FREE
    limits = {False: NO_LIMIT, True: NO_LIMIT}
    when: set[tuple[int, int]] = set()
    written: dict[str, tuple[int, ...]] = {}
    for item in text.split("+"):
        body, colon, place = item.strip().partition(":")
        turn = (_parse_turn(item, place),) if colon else ()
        when.update(turn)
        limit, name = _parse_item(body, vocabulary)
        limits[bool(colon)] = limits[bool(colon)].joined(limit)
        suffix = f":{turn[0][0]}.{turn[0][1]}" if turn else ""
        rank = vocabulary.items.index(name.partition("=")[0])
        order = (rank, *(not mask for mask in limit.deny), *limit.deny)
        written[name + suffix] = order
    if len(when) > 1:
        raise SpecError(
            f"the restriction @{text} names more than one turn",
            hint="All items with a turn must name the same one.",
        )
    round_, number = when.pop() if when else (-1, -1)
    canonical = "+".join(sorted(written, key=lambda name: (written[name], name)))
    return Restriction(canonical, limits[False], limits[True], round_, number)


def _parse_turn(item: str, place: str) -> tuple[int, int]:
    round_, _, turn = place.partition(".")
    if not (round_.isdecimal() and turn.isdecimal() and len(place) < NO_BOUND):
        raise SpecError(
            f"the restriction {item!r} ends in no turn",
            hint="Write :round.turn, both counted from 0, such as no-wagers:0.12.",
        )
    return int(round_), int(turn)


def _parse_item(body: str, vocabulary: Vocabulary) -> tuple[Limit, str]:
    """Return an item's limit and its canonical text."""
    name, equals, value = body.partition("=")
    name = name.strip().lower()
    if name not in vocabulary.items:
        raise _explain_unknown(name, vocabulary)
    if bool(equals) != (name in {NO_LAY, MAX_EXPEDITIONS}):
        example = {NO_LAY: f"{NO_LAY}=R5", MAX_EXPEDITIONS: f"{MAX_EXPEDITIONS}=4"}.get(name, name)
        raise SpecError(f"{body!r} is not a restriction", hint=f"Write {example}.")
    if name == MAX_EXPEDITIONS:
        if not value.isdecimal() or len(value) >= NO_BOUND or int(value) >= NO_BOUND:
            raise SpecError(f"{body!r} has no number of expeditions", hint=f"Write {name}=4.")
        return Limit(max_open=int(value)), f"{name}={int(value)}"
    if name == NO_LAY:
        color, mask, card = vocabulary.deny_card(value)
        deny = tuple(mask if slot == color else 0 for slot in range(COLOR_SLOTS))
        return Limit(deny=deny), f"{name}={card}"
    if name == NO_WAGERS:
        return Limit(deny=(vocabulary.wager_mask,) * COLOR_SLOTS), name
    return Limit(no_draws=name == NO_DISCARD_DRAWS, no_leader=name == NO_LEADER), name


def _explain_unknown(name: str, vocabulary: Vocabulary) -> UsageError:
    if not name:
        return SpecError(
            "a restriction is empty: something is missing beside a +", hint="Write no-wagers, say."
        )
    if name in ITEMS:
        return SpecError(
            f"{name} is a restriction of the other game",
            hint=f"Here a seat may be forbidden: {', '.join(vocabulary.items)}.",
        )
    hint = "Write name, name=value or name:round.turn; `lcsim match -h` shows one."
    if "@" in name:
        hint = "Join restrictions with +: @no-discard-draws+max-expeditions=4."
    return UnknownNameError("restriction", name, vocabulary.items, hint=hint)


def check_effect(spec: str, restriction: Restriction, rulesets: Sequence[Any]) -> None:
    """Raise SpecError for a restriction that can forbid nothing under any of the rulesets."""
    if restriction and not any(_has_effect(restriction, ruleset) for ruleset in rulesets):
        names = ", ".join(ruleset.spec for ruleset in rulesets)
        raise SpecError(
            f"{spec} is forbidden nothing under {names}",
            hint="Name a card of the deck, fewer expeditions than colors, and a round and "
            "a turn, both counted from 0, that are played.",
        )


def _has_effect(restriction: Restriction, ruleset: Any) -> bool:
    is_met = restriction.round < ruleset.rounds and restriction.turn < ruleset.turn_limit
    limit = restriction.always.joined(restriction.once) if is_met else restriction.always
    return bool(
        any(limit.deny[: ruleset.colors])
        or limit.max_open < ruleset.colors
        or limit.no_draws
        or limit.no_leader
    )


def build_limits(restrictions: Sequence[Restriction]) -> Any:
    """Return the restrictions as a kernel reads them, LIMITS_DTYPE (n,)."""
    limits = np.zeros(len(restrictions), LIMITS_DTYPE)
    for record, restriction in zip(limits, restrictions, strict=True):
        restriction.write_record(record)
    return limits


def split_restriction(text: str) -> tuple[str, str]:
    """Return a spec or a label without its restriction, and the restriction, "" for none."""
    start = max(text.rfind("/"), text.rfind(".py")) + 1
    cut = text.find("@", start)
    return (text, "") if cut < 0 else (text[:cut], text[cut + 1 :])


@register_jitable
def is_once(limits, round_, turn):
    """Tell whether what is forbidden at one turn holds now."""
    return limits.turn == turn and limits.round == round_


@register_jitable
def find_denied(limits, once, color):
    """Return the mask of the cards of a color that may not be laid."""
    denied = limits.always.deny[color]
    return denied | limits.once.deny[color] if once else denied


@register_jitable
def find_most(limits, once):
    """Return how many expeditions may be opened in a round."""
    most = limits.always.max_open
    return min(most, limits.once.max_open) if once else most


@register_jitable
def bars_draws(limits, once):
    """Tell whether only the draw pile may be drawn from."""
    return limits.always.no_draws != 0 or (once and limits.once.no_draws != 0)


@register_jitable
def bars_leader(limits, once):
    """Tell whether no expedition may start with the leader."""
    return limits.always.no_leader != 0 or (once and limits.once.no_leader != 0)


@register_jitable
def permit_cards(cards: int, laid: int, denied: int, may_open: int) -> int:
    """Return which of `cards`, that could be laid on the expedition of `laid`, may be laid."""
    return cards & ~denied if laid or may_open else 0


__all__ = [
    "FREE",
    "LIMITS_DTYPE",
    "Limit",
    "Restriction",
    "Vocabulary",
    "bars_draws",
    "bars_leader",
    "build_limits",
    "check_effect",
    "find_denied",
    "find_most",
    "is_once",
    "parse_restriction",
    "permit_cards",
    "split_restriction",
]
