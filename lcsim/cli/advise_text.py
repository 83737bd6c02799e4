"""What `lcsim advise` prints: the position told again, its moves in a table, as JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lcsim.cli.output import render_table

if TYPE_CHECKING:
    from lcsim.advise import Advice, Option, Position
    from lcsim.stats.estimate import Estimate


def summarise_advice(advice: "Advice", command: str) -> dict[str, Any]:
    """Return the advice as what --json prints; `command` is what was typed."""
    from lcsim.advise.position import ASKED
    from lcsim.advise.text import find_room

    position = advice.position
    return {
        "position": find_room(position.ruleset.kind).list_entries(position),
        "mover": position.mover or None,
        "asked": ASKED[position.decision],
        "policy": advice.policy,
        "goal": advice.goal,
        "seed": advice.seed,
        "precision": advice.precision,
        "lead_ci95": advice.lead_width,
        "is_precise": advice.is_precise,
        "moves": [_summarise_option(option) for option in advice.options],
        "too_close": [advice.best.name, *(one.name for one in advice.rivals)]
        if advice.rivals
        else [],
        "sentence": advice.sentence,
        "command": command,
    }


def _summarise_option(option: "Option") -> dict[str, Any]:
    def spread(name: str, value: "Estimate | None") -> dict[str, Any]:
        mean, se = (value.mean, value.se) if value else (None, None)
        return {name: mean, f"{name}_se": se}

    return {
        "move": option.name,
        "n_worlds": option.margin.n,
        **spread("margin", option.margin),
        **spread("win_rate", option.wins),
        **spread("behind", option.lag),
        **spread("win_rate_behind", option.win_lag),
    }


def render_advice(advice: "Advice") -> str:
    """Return the advice as lines: the position, its moves in a table, what to do."""
    return "\n".join(
        [
            *_tell_position(advice.position),
            "",
            _render_moves(advice),
            "",
            f"{_count_worlds(advice)}; {advice.policy} plays on. ± is one standard error; `behind` "
            "is paired, world by world. The move on top was chosen in other worlds before.",
            "",
            advice.sentence,
        ]
    )


def _tell_position(position: "Position") -> Iterator[str]:
    from lcsim.advise.position import ASKED
    from lcsim.advise.text import find_room

    if position.mover:
        table = position.table
        asked = ASKED[position.decision]
        yield f"Turn {table.turn} of round {table.round}: {position.mover} is to {asked}."
        yield ""
    entries = list(_flatten(find_room(position.ruleset.kind).list_entries(position)))
    width = max(len(name) for name, _ in entries)
    for name, value in entries:
        yield f"{name:{width}}  {_write(value)}"


def _render_moves(advice: "Advice") -> str:
    from lcsim.stats.rounding import DASH, format_count, format_estimate, format_percent

    header = ["move", "margin", "games won", "behind", "worlds"]
    rows = [
        [
            option.name,
            format_estimate(option.margin.mean, option.margin.se, signed=True),
            format_percent(option.wins.mean, option.wins.se),
            DASH if option.lag is None else format_estimate(option.lag.mean, option.lag.se),
            format_count(option.margin.n),
        ]
        for option in advice.options
    ]
    if len({option.margin.n for option in advice.options}) == 1:
        header, rows = header[:-1], [row[:-1] for row in rows]
    return render_table(header, rows, right=range(1, len(header)))


def _count_worlds(advice: "Advice") -> str:
    from lcsim.stats.rounding import format_count

    counts = sorted({option.margin.n for option in advice.options})
    if len(counts) == 1:
        return f"Margins are points ahead, in {format_count(counts[0], 'world')}"
    return (
        f"Margins are points ahead, in {counts[0]:,} to {counts[-1]:,} worlds: more of those moves "
        "that came into question"
    )


def _flatten(entries: dict[str, Any], under: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the entries with their paths, those of tables one by one; empty ones are left out."""
    for name, value in entries.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for number, table in enumerate(value):
                yield from _flatten(table, f"{name}[{number}].")
        elif value != "":
            yield f"{under}{name}", value


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
