"""`lcsim replay`: one game, or a range of them, turn by turn."""

from typing import Annotated

import typer

from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    DecisionLimit,
    Json,
    Ruleset,
    Seed,
    Specs,
    StrategyFolders,
    count_option,
    examples,
    parse_deals,
    resolve_folders,
)
from lcsim.cli.output import print_json, say_what_hides
from lcsim.errors import CountError, StrategyBrokeError
from lcsim.wording import pluralise

EPILOG = examples(
    "lcsim replay balanced ladder --deal 7",
    "lcsim replay balanced ladder --ruleset classic --seed 1 --deal 7 --rotation 1",
    "lcsim replay balanced ladder --deal 0:100 --json > games.jsonl",
)


Deal = Annotated[
    range,
    typer.Option(
        "--deal",
        metavar="N|A:B",
        parser=parse_deals,
        help="A deal, or a range whose end is excluded.",
    ),
]
Rotation = Annotated[
    int,
    count_option("--rotation", "In rotation K, strategy i sits in seat i + K.", low=0, metavar="K"),
]


def replay(
    specs: Specs,
    *,
    ruleset: Ruleset = "duel",
    seed: Seed = 42,
    deal: Deal = "0",  # type: ignore[assignment]  # typer parses defaults like words
    rotation: Rotation = 0,
    folders: StrategyFolders = None,
    decision_limit: DecisionLimit = None,
    as_json: Json = False,
) -> None:
    """Show games turn by turn, in words or as JSON.

    Rounds and turns count from 0, as `lcsim advise` takes them. With --json, one object a game.
    """
    from lcsim.rules import get_game, parse_ruleset
    from lcsim.rules.restriction import check_effect
    from lcsim.strategy import check_code, load_strategy

    rules = parse_ruleset(ruleset)
    game = get_game(rules.kind)
    if len(specs) not in game.player_counts:
        counts = ", ".join(map(str, game.player_counts))
        raise CountError(
            f"{len(specs)} {pluralise(len(specs), 'strategy', 'strategies')} for a game of "
            f"{rules.spec}, which takes {counts}",
            hint="Name a strategy for every seat; the same one may be named again.",
        )
    if rotation >= len(specs):
        raise CountError(
            f"--rotation is {rotation}, and there are {len(specs)} (0 to {len(specs) - 1})",
            hint="A deal is played once per seat rotation.",
        )
    where = resolve_folders(folders)
    show = print_json if as_json else lambda record: print(game.render_replay(record))
    with limit_decisions(decision_limit, folders=where):
        strategies = [load_strategy(spec, kind=rules.kind, folders=where) for spec in specs]
        say_what_hides(strategies, where)
        for strategy in strategies:
            check_effect(strategy.spec, strategy.restriction, [rules])
            check_code(strategy)  # what no other command would play is not told here either
        address = {"seed": seed, "rotation": rotation}
        deciders = [strategy.decider for strategy in strategies]
        for number in deal:
            try:
                show(game.replay(rules, deal=number, **address, strategies=deciders))
            except StrategyBrokeError as broke:
                if broke.replay:
                    show(broke.replay)
                raise
