"""What came of a tuning, as a file that asks for it again from wherever it lies."""

import os
from dataclasses import replace
from pathlib import Path

from lcsim.report.tuning_verdict import Verdict, judge_gain
from lcsim.stats.rounding import format_estimate, format_percent
from lcsim.strategy import LoadedStrategy
from lcsim.strategy.load import find_strategy
from lcsim.strategy.registry import list_classes
from lcsim.strategy.spec import parse_spec
from lcsim.tune.judge import Outcome
from lcsim.tune.settings import Settings, Tuning


def judge_outcome(settings: Settings, name: str, outcome: Outcome) -> Verdict:
    """Return the verdict on what a tuning of the strategy `name` found."""
    return judge_gain(
        outcome.gain,
        name=name,
        is_share=settings.goal == "wins",
        deals=settings.deals,
        budget=settings.budget,
        spread=settings.spread,
    )


def write_result(tuning: Tuning, outcome: Outcome, folder: Path) -> str:
    """Return the TOML that asks for the same tuning from `folder`, the verdict its first words."""
    settings, name, tuned = tuning.settings, tuning.space.strategy.name, outcome.tuned
    if settings.goal == "wins":
        worth = f"{format_percent(tuned.mean, tuned.se)} of games won"
    else:
        worth = format_estimate(tuned.mean, tuned.se, unit="points ahead a game")
    verdict = judge_outcome(settings, name, outcome)
    head = [f"# {line}" for line in (verdict.sentence, verdict.advice) if line]
    again = replace(
        settings,
        strategy=_write_spec(settings.strategy, tuning.space.strategy, tuning, folder),
        against=tuple(
            _write_spec(text, one, tuning, folder) if one else text
            for text, one in zip(settings.against, tuning.opponents, strict=True)
        ),
    )
    return (
        "\n".join(head) + f"\n#\n# {outcome.spec}\n#\n"
        f"# is what it found in {outcome.n_generations} generations: {worth} on those deals.\n"
        "# `lcsim tune` with this file asks for the same tuning.\n\n" + again.write_toml()
    )


def _write_spec(text: str, loaded: LoadedStrategy, tuning: Tuning, folder: Path) -> str:
    """Return a spec that means the same strategy in a file of `folder`.

    A file is named from there, also one that was found by its name in a folder of the user's own.
    """
    spec = parse_spec(text)
    if not spec.is_path:
        found = find_strategy(text, kind=loaded.kind, folders=tuning.folders)
        if found.source not in ("folder", "local"):
            return text
    path = os.path.relpath(loaded.path, folder.resolve())
    if not spec.is_path and len(list_classes(loaded.source)) > 1:
        path += f":{loaded.cls.__name__}"
    return path + text.strip().removeprefix(spec.target)
