"""`lcsim rules`: what a ruleset says, where two differ, what expeditions or pawns score."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.options import Json, examples
from lcsim.cli.output import print_json, render_table
from lcsim.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from lcsim.rules import Ruleset

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Show and compare rulesets.")

Spec = Annotated[
    str, typer.Argument(metavar="RULESET", help="A preset, fields overridden: duel:rounds=1.")
]


@app.command("list", epilog=examples("lcsim rules list", "lcsim rules list --json"))
def list_rulesets(as_json: Json = False) -> None:
    """List the presets of every game."""
    from lcsim.rules import GAMES

    presets = [
        {"name": name, "kind": game.kind, "title": game.title, "players": list(game.player_counts)}
        for game in GAMES.values()
        for name in game.presets
    ]
    if as_json:
        print_json({"rulesets": presets})
        return
    rows = [
        (str(preset["name"]), str(preset["kind"]), _name_players(preset), str(preset["title"]))
        for preset in presets
    ]
    print(render_table(("ruleset", "kind", "players", "game"), rows))
    print("\nShow one with `lcsim rules show NAME`; override fields as in duel:rounds=1.")


@app.command(
    "show",
    epilog=examples(
        "lcsim rules show duel",
        "lcsim rules show duel:bonus_points=0,rounds=1",
        "lcsim rules show classic --json",
    ),
)
def show_ruleset(spec: Spec, as_json: Json = False) -> None:
    """Print every field of a ruleset.

    Each with its value and its source; what is printed on no rule sheet is marked as assumed.
    """
    from lcsim.rules import get_game

    ruleset = _parse(spec)
    game = get_game(ruleset.kind)
    notes = game.describe(ruleset)
    if as_json:
        fields = [asdict(note) for note in notes]
        answer = {"spec": ruleset.spec, "kind": ruleset.kind, "fields": fields}
        print_json(answer | {"fixed": list(game.fixed)})
        return
    print(f"{ruleset.spec} ({game.title})\n")
    rows = []
    for note in notes:
        source = f"assumed: {note.source}" if note.assumed else note.source
        rows += [(note.name, note.text, note.help), ("", "", f"  {source}")]
    print(render_table(("field", "value", "meaning, source"), rows))
    print("\nWhat no field changes:")
    print("\n".join(f"- {sentence}" for sentence in game.fixed))
    if any(note.assumed for note in notes):
        print(
            "\nassumed: printed on no rule sheet known to lcsim; change it to see what it weighs."
        )


@app.command(
    "diff",
    epilog=examples("lcsim rules diff classic duel", "lcsim rules diff duel duel:rounds=1 --json"),
)
def diff_rulesets(
    first: Annotated[str, typer.Argument(metavar="RULESET", help="One ruleset.")],
    second: Annotated[str, typer.Argument(metavar="RULESET", help="The other.")],
    as_json: Json = False,
) -> None:
    """Print the fields in which two rulesets of one game differ."""
    from lcsim.rules import get_game

    a, b = _parse(first), _parse(second)
    if a.kind != b.kind:
        raise UsageError(
            f"{a.spec!r} is a ruleset of {a.kind} and {b.spec!r} one of {b.kind}:"
            " they have no fields to compare",
            hint="Compare two rulesets of one game; `lcsim rules list` shows them.",
        )
    game = get_game(a.kind)
    pairs = zip(game.describe(a), game.describe(b), strict=True)
    changed = [(left, right) for left, right in pairs if left.value != right.value]
    if as_json:
        differences = [
            {"name": left.name, "a": left.value, "b": right.value} for left, right in changed
        ]
        print_json({"a": a.spec, "b": b.spec, "differences": differences})
    elif changed:
        rows = [(left.name, left.text, right.text) for left, right in changed]
        print(render_table(("field", a.spec, b.spec), rows))
    else:
        print(f"{a.spec} and {b.spec} are the same rules")


@app.command(
    "score",
    epilog=examples(
        'lcsim rules score duel "Rw R4 R6"',
        'lcsim rules score duel:bonus_points=0 "R2 R3 R4 R5 R6 R7 R8 R9"',
        'lcsim rules score board "R9L G7 W4"',
    ),
)
def score_expedition(
    spec: Spec,
    cards: Annotated[
        str,
        typer.Argument(
            metavar="CARDS",
            help="The expedition in the order it was laid; for the board game, a player's pawns.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """Print what an expedition scores.

    On the board these are a player's pawns at the end of a round: each is the letter of its path
    and its space, with L after it for the leader.
    """
    from lcsim.rules import get_game

    ruleset = _parse(spec)
    score = int(get_game(ruleset.kind).score_text(ruleset, cards))
    if as_json:
        print_json({"ruleset": ruleset.spec, "cards": cards, "score": score})
    else:
        print(score)


@app.command(
    "columns",
    epilog=examples("lcsim rules columns board", "lcsim rules columns duel --json"),
)
def show_columns(
    kind: Annotated[str, typer.Argument(metavar="GAME", help="A game: duel or board.")],
    as_json: Json = False,
) -> None:
    """Explain the columns of a game's Parquet parts.

    One row a round, and for the card game one a forked move. N stands for a strategy's number, C
    for the letter of a color.
    """
    from lcsim.report.dictionary import list_part_columns
    from lcsim.rules import GAMES

    if kind not in GAMES:
        raise UnknownNameError("game", kind, GAMES)
    tables = {name: list_part_columns(kind, is_fork=name == "forks") for name in ("parts", "forks")}
    if as_json:
        print_json({"kind": kind} | {name: dict(columns) for name, columns in tables.items()})
        return
    blocks = [
        f"{name}/*.parquet\n\n{render_table(('column', 'meaning'), columns)}"
        for name, columns in tables.items()
        if columns
    ]
    print("\n\n".join(blocks))


def _parse(spec: str) -> "Ruleset":
    from lcsim.rules import parse_ruleset

    ruleset: Ruleset = parse_ruleset(spec)
    return ruleset


def _name_players(preset: dict[str, Any]) -> str:
    counts = preset["players"]
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
