"""What a match says: the numbers of `match --json`, and the same as a table and sentences."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from lcsim.cli.output import render_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lcsim.rules import Ruleset
    from lcsim.stats.estimate import Estimate, Moments

_HEADER_OF_PAIRS = ("strategy", "win rate", "draws")
BEYOND = 1.96
"""Standard errors from which a difference is called one: the bound of a 95 % interval."""


def summarise_games(
    games: "Moments", specs: "Sequence[str]", labels: "Sequence[str]"
) -> dict[str, Any]:
    """Return win rates, scores, ranks, paired differences and the seat's advantage, with errors.

    A win shared by n counts as one nth; scores and differences are points a game; a difference is
    `a` minus `b`; ranks go from 1, and equals share the mean of theirs.
    """
    from lcsim.stats import estimate, paired

    draws = estimate.estimate_draw_rate(games)
    strategies = []
    for number, (spec, label) in enumerate(zip(specs, labels, strict=True)):
        rate = estimate.estimate_win_rate(games, number)
        score = estimate.estimate_score(games, number)
        rank = estimate.estimate_rank(games, number)
        entry: dict[str, Any] = {"spec": spec, "label": label}
        entry |= _spread("win_rate", rate) | _spread("draw_rate", draws)
        strategies.append(entry | _spread("mean_score", score) | _spread("mean_rank", rank))
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
        f"{names}: {format_count(summary['n_games'], 'game')} of {summary['ruleset']}, "
        f"seed {summary['seed']} ({format_count(summary['n_deals'], 'deal')}, each played once per"
        " seat rotation)"
    )
    if _has_crowd(summary):
        sentences = [_say_winner(summary), _say_lead(summary)]
    else:
        sentences = [_say_winner(summary), *map(_say_difference, summary["differences"])]
    sentences.append(_say_seat(summary))
    sentences += filter(None, [summary["stop"]["sentence"], _say_assumed(summary)])
    return "\n".join([head, "", _draw_table(summary), "", *sentences])


def _spread(name: str, value: "Estimate") -> dict[str, float | None]:
    return {name: value.mean, f"{name}_se": value.se}


def _draw_table(summary: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_estimate, format_percent

    ranked = sorted(summary["strategies"], key=lambda entry: -entry["win_rate"])
    crowd = _has_crowd(summary)
    header = ["strategy", "win share", "shared", "mean rank"] if crowd else list(_HEADER_OF_PAIRS)
    rows = []
    for entry in ranked:
        cells = [
            entry["label"],
            format_percent(entry["win_rate"], entry["win_rate_se"]),
            format_percent(entry["draw_rate"], entry["draw_rate_se"]),
        ]
        if crowd:
            cells.append(format_estimate(entry["mean_rank"], entry["mean_rank_se"]))
        rows.append([*cells, format_estimate(entry["mean_score"], entry["mean_score_se"])])
    return render_table([*header, "mean score"], rows, right=range(1, len(header) + 1))


def _say_winner(summary: "dict[str, Any]") -> str:
    from lcsim.stats.rounding import format_percent

    ranked = sorted(summary["strategies"], key=lambda entry: -entry["win_rate"])
    best, second = ranked[0], ranked[1]
    pair = {best["label"], second["label"]}
    between = next(one for one in summary["differences"] if {one["a"], one["b"]} == pair)
    rate = format_percent(best["win_rate"], best["win_rate_se"])
    count = "a draw counts half"
    if _has_crowd(summary):
        fair = format_percent(1 / len(ranked), None).split(" ")[0]
        count = f"a shared win counts its part; of equals each would win {fair} %"
    if summary["tie_breaker"]:
        count += f"; of equal points {summary['tie_breaker']} win"
    if _is_beyond(between["win_rate_diff"], between["se_win_rate_diff"]):
        return f"Who wins? {best['label']}, {rate} of its games ({count})."
    return (
        f"Who wins? It cannot be told between {best['label']} and {second['label']}: "
        f"{best['label']} wins {rate} of its games ({count})."
    )


def _say_lead(summary: "dict[str, Any]") -> str:
    """Say by how much the one with most wins scores more, or fewer, than each of the others."""
    from lcsim.stats.rounding import format_estimate

    best = max(summary["strategies"], key=lambda entry: entry["win_rate"])["label"]
    parts = []
    for one in summary["differences"]:
        if best not in (one["a"], one["b"]):
            continue
        sign, other = (1, one["b"]) if one["a"] == best else (-1, one["a"])
        shown = format_estimate(sign * one["diff"], one["se_diff"], signed=True)
        within = "" if _is_beyond(one["diff"], one["se_diff"]) else " (within its error)"
        parts.append(f"{shown} against {other}{within}")
    return f"By how much? In points a game {best} is {', '.join(parts)}."


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
    ahead = "ahead of the mean of the others" if _has_crowd(summary) else "ahead"
    return (
        f"Does it help to begin? Seat 0, which starts the first round, wins {rate}"
        f" of the games and is {points} points {ahead}."
    )


def _say_assumed(summary: "dict[str, Any]") -> str:
    if not summary["assumed"]:
        return ""
    listed = ", ".join(summary["assumed"])
    return f"Assumed in {summary['ruleset']}: {listed} (`lcsim rules show` has the sources)."


def _has_crowd(summary: "dict[str, Any]") -> bool:
    """Tell whether more than two play, so that wins are shares and ranks say something."""
    return len(summary["strategies"]) > 2


def _is_beyond(mean: float, se: float | None) -> bool:
    return se is not None and abs(mean) > BEYOND * se
