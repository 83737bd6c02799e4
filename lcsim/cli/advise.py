"""`lcsim advise`: what to do in a position, each move with what it brings and its error."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.guard import repeat_command
from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    DecisionLimit,
    Json,
    Ruleset,
    Seed,
    StrategyFolders,
    count_option,
    examples,
    parse_width,
    resolve_folders,
)
from lcsim.cli.output import print_json, render_table, say
from lcsim.errors import UsageError

if TYPE_CHECKING:
    from lcsim.advise import Advice, Option, Position
    from lcsim.stats.estimate import Estimate

EPILOG = examples(
    "lcsim advise --example duel > position.toml",
    "lcsim advise position.toml",
    "lcsim advise position.toml --policy balanced --precision 0.5",
    "lcsim advise balanced ladder --deal 7 --turn 30",
    "lcsim advise balanced ladder --deal 7 --turn 30 --write > position.toml",
    "lcsim advise steady racer --ruleset board --deal 7 --turn 12 --draw --json",
)
STDIN = "-"

Target = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION|SPEC...",
        help="A position's TOML file, - for stdin, or the strategies of a game to replay.",
        show_default=False,
    ),
]
Deal = Annotated[int, count_option("--deal", "The deal of the game.", low=0)]
Turn = Annotated[
    int | None,
    count_option(
        "--turn",
        "Its turn: how many came before it in the round, of all seats.",
        low=0,
        show_default=False,
    ),
]
Round = Annotated[int, count_option("--round", "Its round, from 0.", low=0)]
Rotation = Annotated[
    int,
    count_option("--rotation", "In rotation K, strategy i sits in seat i + K.", low=0, metavar="K"),
]
Draw = Annotated[
    bool,
    typer.Option("--draw", help="Ask for that turn's draw, its card played.", show_default=False),
]
Policy = Annotated[
    str, typer.Option("--policy", metavar="SPEC", help="The strategy that plays on for all seats.")
]
Samples = Annotated[
    int, count_option("--samples", "Worlds: how often hidden cards are dealt anew.", low=2)
]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="X",
        parser=parse_width,
        help="As many worlds as it takes to know the best move's lead to ± X points (95 %).",
        show_default=False,
    ),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="GOAL", help="Rank by margin (points) or by wins.")
]
Write = Annotated[
    bool,
    typer.Option("--write", help="Write the position as TOML and stop.", show_default=False),
]
Example = Annotated[
    str | None,
    typer.Option(
        "--example", metavar="KIND", help="Print a position of that game.", show_default=False
    ),
]


def advise(
    ctx: typer.Context,
    target: Target = None,
    *,
    ruleset: Ruleset = "duel",
    deal: Deal = 0,
    rotation: Rotation = 0,
    round_: Round = 0,
    turn: Turn = None,
    draw: Draw = False,
    policy: Policy = "tuned",
    samples: Samples = 2000,
    precision: Precision = None,
    goal: Goal = "margin",
    seed: Seed = 42,
    folders: StrategyFolders = None,
    decision_limit: DecisionLimit = None,
    write: Write = False,
    example: Example = None,
    as_json: Json = False,
) -> None:
    """Advise on a position.

    What the player cannot see is dealt anew many times, in agreement with all that is known. Every
    move is made in each of these worlds, and the policy plays on. The position is a small file, or
    a turn of a game that is replayed. The same words give the same advice.
    """
    if example is not None:
        _print_example(example)
        return
    where = resolve_folders(folders)
    given = {"ruleset": ruleset, "seed": seed, "deal": deal, "turn": turn, "round_": round_}
    given["rotation"] = rotation
    asked = {"policy": policy, "samples": samples, "precision": precision, "goal": goal}
    with limit_decisions(decision_limit, folders=where):
        position = _find_position(target or [], given, where, is_draw=draw)
        if write:
            _print_position(position)
            return
        advice = _ask(position, {**asked, "seed": seed, "folders": where})
    command = repeat_command(ctx)
    if as_json:
        print_json(_summarise(advice, command))
        return
    print(_render(advice))
    print(f"Again: {command}")


def _print_example(kind: str) -> None:
    from lcsim.advise.text import find_room

    print(find_room(kind).example, end="")


def _print_position(position: "Position") -> None:
    from lcsim.advise import write_position

    print(write_position(position), end="")


def _ask(position: "Position", asked: dict[str, Any]) -> "Advice":
    from lcsim.advise import advise as ask

    return ask(position, **asked, notify=say)


def _find_position(
    target: list[str], given: dict[str, Any], folders: tuple[Path, ...], *, is_draw: bool
) -> "Position":
    from lcsim.advise import DRAW, PLAY, load_position, parse_position, take_position

    if not target:
        raise UsageError(
            "there is no position to advise on",
            hint="Give its TOML file, or the strategies of a game with --deal and --turn. "
            "`lcsim advise --example duel` prints a file.",
        )
    if len(target) > 1:
        if given["turn"] is None:
            raise UsageError(
                "a game has many positions: --turn is missing",
                hint=f"Give --turn 0 for its first: {shlex.join(['lcsim', 'replay', *target])} "
                "tells the turns.",
            )
        return take_position(target, **given, decision=DRAW if is_draw else PLAY, folders=folders)
    if given["turn"] is not None or is_draw:
        raise UsageError(
            "--turn and --draw are for a game that is replayed",
            hint="Name a strategy for every seat, or leave them out for a position's file.",
        )
    if target[0] == STDIN:
        return parse_position(sys.stdin.read(), where="stdin")
    return load_position(Path(target[0]))


def _summarise(advice: "Advice", command: str) -> dict[str, Any]:
    from lcsim.advise.text import find_room

    position = advice.position
    return {
        "position": find_room(position.ruleset.kind).list_entries(position),
        "asked": "play" if position.decision == "choose_play" else "draw",
        "policy": advice.policy,
        "goal": advice.goal,
        "seed": advice.seed,
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


def _render(advice: "Advice") -> str:
    from lcsim.advise.text import find_room
    from lcsim.stats.rounding import DASH, format_count, format_estimate, format_percent

    position = advice.position
    entries = list(_flatten(find_room(position.ruleset.kind).list_entries(position)))
    width = max(len(name) for name, _ in entries)
    told = [f"{name:{width}}  {_write(value)}" for name, value in entries]
    rows = [
        (
            option.name,
            format_estimate(option.margin.mean, option.margin.se, signed=True),
            format_percent(option.wins.mean, option.wins.se),
            DASH if option.lag is None else format_estimate(option.lag.mean, option.lag.se),
        )
        for option in advice.options
    ]
    table = render_table(("move", "margin", "games won", "behind"), rows, right=(1, 2, 3))
    worlds = format_count(max(one.margin.n for one in advice.options), "world")
    return "\n".join(
        [
            *told,
            "",
            table,
            "",
            f"Margins are points ahead, in {worlds}; {advice.policy} plays on. ± is one standard "
            "error; `behind` is paired, world by world.",
            "",
            advice.sentence,
        ]
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
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
