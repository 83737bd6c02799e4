"""`lcsim strategies`: find, read, check and begin strategies."""

import keyword
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import DecisionLimit, Json, StrategyFolders, examples, resolve_folders
from lcsim.cli.output import print_json, render_table, say
from lcsim.errors import StrategyError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from lcsim.strategy import StrategyEntry
    from lcsim.testing import Finding

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="List, show, check and begin strategies."
)

RATING, BATCH = "rating", "batch"

Kind = Annotated[
    str | None,
    typer.Option("--kind", metavar="GAME", help="Only of this game.", show_default=False),
]


@app.command(
    "list",
    epilog=examples(
        "lcsim strategies list",
        "lcsim strategies list --kind duel --json",
        "lcsim strategies list --strategies ~/mine",
    ),
)
def list_strategies(
    kind: Kind = None, folders: StrategyFolders = None, as_json: Json = False
) -> None:
    """List the strategies that are found.

    They are shipped, lie in ./strategies or in a folder given, or are installed as plug-ins.
    """
    from lcsim.strategy import find_strategies

    with limit_decisions(None):
        entries = find_strategies(kind=check_kind(kind), folders=resolve_folders(folders))
    if as_json:
        print_json({"strategies": [_describe(entry) for entry in entries]})
        return
    rows = [
        (entry.name, entry.kind or "?", entry.form or "?", entry.source, _summarise(entry))
        for entry in entries
    ]
    print(render_table(("strategy", "kind", "form", "source", "idea"), rows))
    for entry in entries:
        if entry.status != "ok":
            say(f"warning: {entry.path} is broken: {entry.error}")


@app.command(
    "show", epilog=examples("lcsim strategies show balanced", "lcsim strategies show mine.py")
)
def show_strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A strategy's name.")],
    kind: Kind = None,
    folders: StrategyFolders = None,
    as_json: Json = False,
) -> None:
    """Print a strategy's idea, its source and its parameters."""
    entry = _find_entry(name, kind, resolve_folders(folders))
    if as_json:
        print_json(_describe(entry) | {"doc": entry.doc})
        return
    print(f"{entry.name} ({entry.kind}, {entry.form}, {entry.source}: {entry.path})\n")
    print(entry.doc or "(no docstring)")
    if entry.params:
        rows = [
            (param.name, f"{param.default:g}", f"{param.low:g} … {param.high:g}", param.help)
            for param in entry.params
        ]
        print("\n" + render_table(("parameter", "default", "range", "meaning"), rows, right=(1,)))
        first = entry.params[0]
        print(f"\nChange one as in {entry.name}:{first.name}={first.default:g}")
    if entry.guests:
        guests = [(name, guest.default, guest.help) for name, guest in entry.guests.items()]
        print("\n" + render_table(("guest", "default", "meaning"), guests))
        print(f"\nTake another as in {entry.name}:{guests[0][0]}=balanced, or a file: mine.py")


@app.command(
    "check",
    epilog=examples(
        "lcsim strategies check strategies/mine.py",
        "lcsim strategies check mine --kind duel --json",
    ),
)
def check_strategies(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC", help="Names or files of strategies.")
    ],
    kind: Kind = None,
    folders: StrategyFolders = None,
    decision_limit: DecisionLimit = None,
    as_json: Json = False,
) -> None:
    """Check strategies: do they keep the rules?

    Legal moves, no peeking, the same from the same seed, the same compiled and in the referee.

    Exit code 3 if one has errors; warnings alone pass.
    """
    from lcsim.testing import check_strategy, describe_findings

    known, where = check_kind(kind), resolve_folders(folders)
    reports: list[dict[str, Any]] = []
    for spec in specs:
        with limit_decisions(decision_limit, folders=where):
            findings = check_strategy(spec, kind=known, folders=where)
        reports.append({"spec": spec, "findings": [_describe_finding(one) for one in findings]})
        if not as_json:
            print(describe_findings(findings) if findings else f"{spec}: fine")
    broken = sum(any(one["level"] == "error" for one in report["findings"]) for report in reports)
    if as_json:
        print_json({"checked": reports, "ok": broken == 0})
    if broken:
        raise typer.Exit(StrategyError.exit_code)


@app.command(
    "new",
    epilog=examples(
        "lcsim strategies new my-idea",
        "lcsim strategies new my-idea --kind board",
        "lcsim strategies new my-network --form batch",
    ),
)
def new_strategy(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Lower-case words joined by hyphens.")
    ],
    kind: Annotated[str, typer.Option("--kind", metavar="GAME", help="The game.")] = "duel",
    form: Annotated[
        str,
        typer.Option(
            "--form",
            metavar="FORM",
            help="rating (a number for each move, compiled) or batch (many games a call, NumPy).",
        ),
    ] = RATING,
) -> None:
    """Begin a strategy of your own.

    Writes a working file into ./strategies, ready to be changed; nothing is overwritten.
    """
    check_kind(kind)
    if form not in (RATING, BATCH):
        raise UnknownNameError("form", form, (RATING, BATCH))
    _check_name(name, kind)
    path = Path("strategies") / kind / f"{name.replace('-', '_')}.py"
    if path.exists():
        raise UsageError(
            f"{path} exists already, and is left as it is",
            hint="Choose another name, or remove the file first.",
        )
    _refuse_taken(name, kind)
    text = _fill_template(name, kind, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")
    print(f"check it with: lcsim strategies check {path}")
    print(f"play it with:  lcsim match {name} balanced --ruleset {kind} --games 20000")


def check_kind(kind: str | None) -> str | None:
    """Return `kind` if it is a game; raises UnknownNameError."""
    if kind is None:
        return None
    from lcsim.rules import GAMES

    if kind not in GAMES:
        raise UnknownNameError("game", kind, GAMES)
    return kind


def _check_name(name: str, kind: str) -> None:
    """Raise UsageError for a name that no strategy can be found by, or that hides its door's."""
    from importlib import import_module

    from lcsim.strategy.base import name_class

    class_name = _name_class_of(name)
    why, hint = "", "Use lower-case words joined by hyphens, as in cautious-opener."
    if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        if keyword.iskeyword(class_name) or hasattr(import_module(f"lcsim.{kind}"), class_name):
            why, hint = f": its class would be called {class_name}", "Choose another name."
        elif name_class(class_name) == name:
            return
        else:
            near = name_class(class_name)
            why = f": its class {class_name} would be found as {near!r}"
            hint = f"Use {near}, or longer words."
    raise UsageError(f"a strategy cannot be named {name!r}{why}", hint=hint)


def _refuse_taken(name: str, kind: str) -> None:
    """Raise UsageError where a strategy of that name is found already: the new one would hide it.

    Other strategies, commands and experiments mean that one by its name.
    """
    from lcsim.strategy.registry import scan_strategies

    for found in scan_strategies():
        if (found.kind, found.name) == (kind, name):
            raise UsageError(
                f"there is a strategy {name} for this game already, which a new one would hide: "
                f"{found.path}",
                hint=f"Choose another name, as in my-{name}.",
            )


def _name_class_of(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _find_entry(name: str, kind: str | None, folders: tuple[Path, ...]) -> "StrategyEntry":
    from lcsim.strategy import find_strategies
    from lcsim.strategy.registry import explain_other_game

    searched = (Path(name).parent, *folders) if name.endswith(".py") else folders
    with limit_decisions(None):
        entries = find_strategies(kind=check_kind(kind), folders=searched)
        others = find_strategies(folders=folders) if kind else []
    for entry in entries:
        if entry.name == name or (name.endswith(".py") and _is_same_file(entry.path, Path(name))):
            return entry
    if kind and (own := next((one.kind for one in others if one.name == name), "")):
        raise explain_other_game(name, kind=kind, own=own)
    hint = "`lcsim strategies list` shows all; --strategies DIR adds a folder."
    raise UnknownNameError("strategy", name, (entry.name for entry in entries), hint=hint)


def _is_same_file(left: Path, right: Path) -> bool:
    return left.exists() and right.exists() and left.samefile(right)


def _describe(entry: "StrategyEntry") -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "form": entry.form,
        "params": [
            {
                "name": param.name,
                "default": param.default,
                "low": param.low,
                "high": param.high,
                "type": param.type,
                "help": param.help,
            }
            for param in entry.params
        ],
        "guests": [
            {"name": name, "default": guest.default, "help": guest.help}
            for name, guest in entry.guests.items()
        ],
        "status": entry.status,
        "source": entry.source,
        "summary": entry.summary,
        "path": str(entry.path),
        "error": entry.error or None,
    }


def _summarise(entry: "StrategyEntry") -> str:
    return entry.summary if entry.status == "ok" else "broken, see the warning"


def _describe_finding(finding: "Finding") -> dict[str, Any]:
    return {
        "level": finding.level,
        "path": str(finding.path),
        "line": finding.line,
        "what": finding.what,
        "todo": finding.todo,
    }


def _fill_template(name: str, kind: str, form: str) -> str:
    """Return the text of a new strategy: the game's shipped template with its name put in."""
    from lcsim.shipped import find_shipped

    suffix = "" if form == RATING else f"_{form}"
    file = find_shipped("strategies") / f"_template_{kind}{suffix}.py"
    text = file.read_text(encoding="utf-8")
    names = {
        "MyIdea": _name_class_of(name),
        "my_idea": name.replace("-", "_"),
        "my-idea": name,
    }
    return re.sub("|".join(names), lambda found: names[found[0]], text)
