"""The sentences on variants: what another ruleset changes, and whom it helps."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from lcsim.report import variants
from lcsim.report.answers import is_clear, met_alike
from lcsim.report.document import Answer
from lcsim.report.pairing import ALL
from lcsim.report.variants import Change, Quantity
from lcsim.stats.rounding import format_estimate, format_percent

if TYPE_CHECKING:
    from lcsim.report.games import Extra
    from lcsim.report.pairing import Pairing
    from lcsim.report.sections import Chapter
    from lcsim.stats.estimate import Estimate

WHAT_CHANGES = "What does the other rule change?"
WHO_GAINS = "Who gains by it?"


def build_variant_answers(pairing: Pairing, chapter: Chapter, extra: Extra) -> list[Answer]:
    """Answer what a ruleset changes, and whom it helps; `chapter` is that of the ruleset."""
    return [_answer_changes(pairing, chapter, extra), _answer_gains(pairing, chapter)]


def _answer_changes(pairing: Pairing, chapter: Chapter, extra: Extra) -> Answer:
    quantities = [
        variants.SCORE,
        variants.TURNS,
        *variants.list_measures(extra.measures),
        *variants.list_endings(chapter.game.endings),
    ]
    found = [
        (one, change)
        for one in quantities
        if (
            change := variants.compare_quantity(pairing.sums[ALL], one, is_paired=pairing.is_paired)
        )
        is not None
    ]
    cards = "on the same deals" if pairing.is_paired else "on other cards, so unpaired"
    under = f"Under {pairing.other} instead of {pairing.base}, {cards}"
    if any(change.diff.se is None for _, change in found):
        sentence = f"{under}, one deal was played, which gives no error: play more games to tell."
        return Answer(WHAT_CHANGES, "one deal cannot tell", sentence, None, pairing.other)
    clear = [(one, change) for one, change in found if is_clear(change.diff)]
    if not clear:
        sentence = f"{under}, nothing that is counted here differs by more than its error."
        return Answer(WHAT_CHANGES, "nothing that we can see", sentence, None, pairing.other)
    listed = "; ".join(_say(one, change) for one, change in clear)
    same = [one.title for one, change in found if _varies(change) and not is_clear(change.diff)]
    rest = f"; within the error the same: {', '.join(same)}" if same else ""
    first, change = clear[0]
    headline = f"{_show(first, change.diff, signed=True)} {_short(first)}"
    return Answer(WHAT_CHANGES, headline, f"{under}: {listed}{rest}.", None, pairing.other)


def _answer_gains(pairing: Pairing, chapter: Chapter) -> Answer:
    found = list(variants.list_changes(pairing, chapter.order, variants.WIN_RATE))
    if any(change.diff.se is None for _, change in found):
        sentence = "One deal was played under both, which gives no error."
        return Answer(WHO_GAINS, "one deal cannot tell", sentence, None, pairing.other)
    before = max(found, key=lambda pair: pair[1].base.mean)
    after = max(found, key=lambda pair: pair[1].other.mean)
    matchups, labels = chapter.collected.matchups, [label for label, _ in found]
    if not all(met_alike(matchups, *pair) for pair in combinations(labels, 2)):
        sentence = "Not all met the same opponents, so each is set beside itself only"
    elif before[0] == after[0] and after[1].diff.mean == 0 == after[1].diff.se:
        same = format_percent(after[1].other.mean, after[1].other.se)
        sentence = f"{after[0]} wins most under both, the same {same} of its games"
    elif before[0] == after[0]:
        sentence = f"{after[0]} wins most under both: {_say_rates(after[1])}"
    else:
        sentence = (
            f"{before[0]} wins most under {pairing.base} and {after[0]} under {pairing.other} "
            f"({after[0]}: {_say_rates(after[1])})"
        )
    clear = [(label, change) for label, change in found if is_clear(change.diff)]
    if not clear:
        sentence += "; no strategy's win rate differs by more than its error."
        return Answer(WHO_GAINS, "nobody that we can see", sentence, None, pairing.other)
    best = max(clear, key=lambda pair: pair[1].diff.mean)
    worst = min(clear, key=lambda pair: pair[1].diff.mean)
    parts = []
    if best[1].diff.mean > 0:
        parts.append(f"{best[0]} gains most, {_percent(best[1].diff)} of games")
    if worst[1].diff.mean < 0:
        parts.append(f"{worst[0]} loses most, {_percent(worst[1].diff)}")
    sentence += f"; {', and '.join(parts)}."
    label, change = best if best[1].diff.mean > 0 else worst
    return Answer(WHO_GAINS, f"{label}, {_percent(change.diff)}", sentence, label, pairing.other)


def _varies(change: Change) -> bool:
    """Tell whether a quantity is more than one constant under both rulesets."""
    return change.diff.mean != 0 or bool(change.independent.se)


def _say(quantity: Quantity, change: Change) -> str:
    return (
        f"{quantity.title} {_show(quantity, change.other)} instead of "
        f"{_show(quantity, change.base)}, a difference of "
        f"{_show(quantity, change.diff, signed=True)}"
    )


def _say_rates(change: Change) -> str:
    return (
        f"{format_percent(change.other.mean, change.other.se)} of its games instead of "
        f"{format_percent(change.base.mean, change.base.se)}, a difference of "
        f"{_percent(change.diff)}"
    )


def _short(quantity: Quantity) -> str:
    return "points a game" if quantity is variants.SCORE else quantity.title


def _show(quantity: Quantity, value: Estimate, *, signed: bool = False) -> str:
    write = format_percent if quantity.is_share else format_estimate
    return write(value.mean, value.se, signed=signed)


def _percent(value: Estimate) -> str:
    return format_percent(value.mean, value.se, signed=True)
