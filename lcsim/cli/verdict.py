"""What a match says: the numbers of `match --json`, and the same as a table and sentences."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from lcsim.cli.output import render_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lcsim.rules import Ruleset
    from lcsim.stats.estimate import Estimate, Moments

BEYOND = 1.96
"""Standard errors from which a difference is called one: the bound of a 95 % interval."""


def summarise_games(
    games: "Moments", specs: "Sequence[str]", labels: "Sequence[str]"
) -> dict[str, Any]:
    """Return win rates, scores, paired differences and the seat's advantage, each with its error.

    A draw is half a win; scores and differences are points a game; a difference is `a` minus `b`.
    """
    from lcsim.stats import estimate, paired

    draws = estimate.estimate_draw_rate(games)
    strategies = []
    for number, (spec, label) in enumerate(zip(specs, labels, strict=True)):
        rate = estimate.estimate_win_rate(games, number)
        score = estimate.estimate_score(games, number)
        entry: dict[str, Any] = {"spec": spec, "label": label}
        entry |= _spread("win_rate", rate) | _spread("draw_rate", draws)
        strategies.append(entry | _spread("mean_score", score))
    differences = []
    for a, b in combinations(range(len(labels)), 2):
        points = paired.compare_scores(games, a, b)
        wins = paired.compare_win_rates(games, a, b)
        interval = points.ci95()
        differences.append(
            {
                "a": labels[a],
                "b": labels[b],
                "diff": points.mean,
                "se_diff": points.se,
                "ci95": None if interval is None else list(interval),
                "win_rate_diff": wins.mean,
                "se_win_rate_diff": wins.se,
            }
        )
    seat = _spread("starter_win_rate", estimate.estimate_starter_win_rate(games))
    seat |= _spread("starter_diff", estimate.estimate_starter_score(games))
    return {"strategies": strategies, "differences": differences, "seat": seat}


def list_assumptions(ruleset: "Ruleset") -> list[str]:
    """Return the fields of a ruleset whose value is assumed, as `name=value`."""
    from lcsim.rules import get_game

    notes = get_game(ruleset.kind).describe(ruleset)
    return [f"{note.name}={note.text}" for note in notes if note.assumed]


def render_match(summary: "dict[str, Any]") -> str:
    """Return the table and one sentence a question, of a summary of `lcsim match`."""
    from lcsim.stats.rounding import format_count

    names = " vs ".join(entry["label"] for entry in summary["strategies"])
    head = (
        f"{names}: {format_count(summary['n_games'])} games of {summary['ruleset']}, "
        f"seed {summary['seed']} ({format_count(summary['n_deals'])} deals, each played once per"
        " seat rotation)"
    )
    sentences = [_say_winner(summary), *map(_say_difference, summary["differences"])]
    sentences.append(_say_seat(summary))
    sentences += filter(None, [summary["stop"]["sentence"], _say_assumed(summary)])
    return "\n".join([head, "", _draw_table(summary), "", *sentences])


def _spread(name: str, value: "Estimate") -> dict[str, float | None]:
    return {name: value.mean, f"{name}_se": value.se}


def _draw_table(summary: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_estimate, format_percent

    ranked = sorted(summary["strategies"], key=lambda entry: -entry["win_rate"])
    rows = [
        (
            entry["label"],
            format_percent(entry["win_rate"], entry["win_rate_se"]),
            format_percent(entry["draw_rate"], entry["draw_rate_se"]),
            format_estimate(entry["mean_score"], entry["mean_score_se"]),
        )
        for entry in ranked
    ]
    return render_table(("strategy", "win rate", "draws", "mean score"), rows, right=(1, 2, 3))


def _say_winner(summary: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_percent

    ranked = sorted(summary["strategies"], key=lambda entry: -entry["win_rate"])
    best, second = ranked[0], ranked[1]
    pair = {best["label"], second["label"]}
    between = next(one for one in summary["differences"] if {one["a"], one["b"]} == pair)
    rate = format_percent(best["win_rate"], best["win_rate_se"])
    if _is_beyond(between["win_rate_diff"], between["se_win_rate_diff"]):
        return f"Who wins? {best['label']}, {rate} of its games (a draw counts half)."
    return (
        f"Who wins? It cannot be told between {best['label']} and {second['label']}: "
        f"{best['label']} wins {rate} of its games (a draw counts half)."
    )


def _say_difference(difference: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_estimate, format_interval

    ahead, behind, sign = difference["a"], difference["b"], 1
    if difference["diff"] < 0:
        ahead, behind, sign = behind, ahead, -1
    mean, se = sign * difference["diff"], difference["se_diff"]
    shown = format_estimate(mean, se)
    text = f"By how much? {ahead} scores {shown} points a game more than {behind}"
    if se is None:
        return f"{text}; one deal gives no error, so play more games."
    interval = tuple(sorted(sign * end for end in difference["ci95"]))
    text += f" (95 % interval {format_interval(interval)})"
    return f"{text}.\nIs it beyond its error? {_weigh(mean, se)}"


def _weigh(mean: float, se: float) -> str:
    from lcsim.stats.rounding import format_value

    if se == 0:
        return "Yes: it is the same on every deal." if mean else "No: there is no difference."
    times = f"{format_value(abs(mean) / se, 0.3)} standard errors"
    if _is_beyond(mean, se):
        return f"Yes: it is {times}."
    return f"No: it is only {times}; more games may tell."


def _say_seat(summary: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_estimate, format_percent

    seat = summary["seat"]
    rate = format_percent(seat["starter_win_rate"], seat["starter_win_rate_se"])
    points = format_estimate(seat["starter_diff"], seat["starter_diff_se"], signed=True)
    return (
        f"Does it help to begin? Seat 0, which starts the first round, wins {rate}"
        f" of the games and is {points} points ahead."
    )


def _say_assumed(summary: "dict[str, Any]") -> str:
    if not summary["assumed"]:
        return ""
    listed = ", ".join(summary["assumed"])
    return f"Assumed in {summary['ruleset']}: {listed} (`lcsim rules show` has the sources)."


def _is_beyond(mean: float, se: float | None) -> bool:
    return se is not None and abs(mean) > BEYOND * se
