"""`lcsim advise`: what to do in a position, each move with what it brings and its error."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.advise_text import render_advice, summarise_advice
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
    refuse_idle,
    resolve_folders,
)
from lcsim.cli.output import print_json, say
from lcsim.cli.world_line import WorldLine, build_world_line
from lcsim.errors import UsageError

if TYPE_CHECKING:
    from lcsim.advise import Advice, Position

EPILOG = examples(
    "lcsim advise --example duel > position.toml",
    "lcsim advise position.toml",
    "lcsim advise position.toml --policy balanced --precision 0.5",
    "lcsim advise balanced ladder --deal 7 --turn 30",
    "lcsim advise balanced ladder --deal 7 --turn 30 --write > position.toml",
    "lcsim advise steady racer --ruleset board --deal 7 --turn 12 --draw --json",
    "lcsim advise steady racer --ruleset board --deal 7 --turn 30 --step",
)
STDIN = "-"
REPLAYING = ("ruleset", "deal", "rotation", "round_", "turn", "draw", "step")
ASKING = ("policy", "samples", "precision", "goal", "as_json")
PLAYING = ("seed", "folders", "decision_limit")

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
        "Its turn, as `lcsim replay` numbers them, from 0.",
        low=0,
        show_default=False,
    ),
]
Round = Annotated[int, count_option("--round", "Its round, from 0.", low=0)]
Rotation = Annotated[
    int,
    count_option("--rotation", "In rotation K, strategy i sits in seat i + K.", low=0, metavar="K"),
]
Step = Annotated[
    int,
    typer.Option(
        "--step",
        count=True,
        help="Ask for that turn's first step, its card played; given again, for the next.",
        show_default=False,
    ),
]
Draw = Annotated[
    bool,
    typer.Option("--draw", help="Ask for that turn's draw, its card played.", show_default=False),
]
Policy = Annotated[
    str, typer.Option("--policy", metavar="SPEC", help="The strategy that plays on for all seats.")
]
Samples = Annotated[
    int | None,
    count_option(
        "--samples",
        "Worlds that each move is measured in, or with --precision the most there may be.",
        low=2,
        high=1_000_000,
        show_default="2000, or 200000 with --precision",
    ),
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
    step: Step = 0,
    policy: Policy = "tuned",
    samples: Samples = None,
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
    a turn of a game that is replayed, by the numbers that `lcsim replay` prints. The best move is
    chosen in other worlds than those that measure it. The same words give the same advice.
    """
    if example is not None:
        refuse_idle(
            ctx, but=("example",), why="--example prints a position, and takes nothing else"
        )
        _print_example(example)
        return
    if write:
        idle = (*ASKING, *PLAYING) if len(target or []) == 1 else ASKING
        refuse_idle(ctx, idle, why="--write asks for no advice")
    where = resolve_folders(folders)
    given = {"ruleset": ruleset, "seed": seed, "deal": deal, "turn": turn, "round_": round_}
    given |= {"rotation": rotation, "step": step, "folders": where}
    asked = {"policy": policy, "samples": samples, "precision": precision, "goal": goal}
    line = build_world_line()
    with limit_decisions(decision_limit, folders=where, progress=line):
        position = _find_position(ctx, target or [], given, is_draw=draw)
        if write:
            _print_position(position)
            return
        advice = _ask(position, {**asked, "seed": seed, "folders": where}, line)
    _print_advice(advice, repeat_command(ctx), as_json=as_json)


def _print_example(kind: str) -> None:
    from lcsim.advise.text import find_room

    print(find_room(kind).example, end="")


def _print_advice(advice: "Advice", command: str, *, as_json: bool) -> None:
    if as_json:
        print_json(summarise_advice(advice, command))
    else:
        print(f"{render_advice(advice)}\nAgain: {command}")


def _print_position(position: "Position") -> None:
    from lcsim.advise import write_position

    print(write_position(position), end="")


def _ask(position: "Position", asked: dict[str, Any], line: "WorldLine | None") -> "Advice":
    from lcsim.advise import advise as ask

    try:
        return ask(position, **asked, notify=say, report=line.update if line else None)
    finally:
        if line:
            line.stop()


def _find_position(
    ctx: typer.Context, target: list[str], given: dict[str, Any], *, is_draw: bool
) -> "Position":
    from lcsim.advise import load_position, parse_position

    if not target:
        raise UsageError(
            "there is no position to advise on",
            hint="Give its TOML file, or the strategies of a game with --deal and --turn. "
            "`lcsim advise --example duel` prints a file.",
        )
    if len(target) > 1:
        return _replay_position(target, given, is_draw=is_draw)
    refuse_idle(
        ctx,
        REPLAYING,
        why="a position's file is no game that is replayed",
        hint="Name a strategy for every seat, or leave it out.",
    )
    if target[0] == STDIN:
        return parse_position(sys.stdin.read(), where="stdin")
    return load_position(Path(target[0]))


def _replay_position(target: list[str], given: dict[str, Any], *, is_draw: bool) -> "Position":
    from lcsim.advise import DRAW, PLAY, STEP, take_position

    if given["turn"] is None:
        raise UsageError(
            "a game has many positions: --turn is missing",
            hint=f"Give --turn 0 for its first: {shlex.join(['lcsim', 'replay', *target])} "
            "tells the turns.",
        )
    n_steps = given.pop("step")
    if n_steps and is_draw:
        raise UsageError(
            "--step and --draw ask for two things",
            hint="A step comes before the draw: give one of them.",
        )
    decision = STEP if n_steps else DRAW if is_draw else PLAY
    return take_position(target, **given, decision=decision, step=max(n_steps - 1, 0))
