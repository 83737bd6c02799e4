"""One sentence a question: who wins and by how much, and whether going first matters."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from lcsim.report.document import Answer
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.estimate import Estimate, quantile_975
from lcsim.stats.rounding import format_count, format_estimate, format_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from lcsim.report.source import Matchup

WHO_WINS = "Who wins, and by how much?"
GOING_FIRST = "Does going first matter?"


def is_clear(value: Estimate) -> bool:
    """Tell whether the 95 % interval of a difference leaves out nothing at all: 0."""
    if value.se is None:
        return False
    return abs(value.mean) > quantile_975(value.n - 1) * value.se


def met_alike(matchups: Sequence[Matchup], first: str, second: str) -> bool:
    """Tell whether two strategies met the same opponents, each other aside, equally often."""
    return _list_fields(matchups, first, second) == _list_fields(matchups, second, first)


def _list_fields(matchups: Sequence[Matchup], label: str, rival: str) -> list[list[str]]:
    """Return the opponents of `label`, matchup by matchup, with no name for the rival."""
    return sorted(
        sorted("" if one == rival else one for one in matchup.labels if one != label)
        for matchup in matchups
        if label in matchup.labels
    )


def name_opponents(matchups: Sequence[Matchup], label: str) -> str:
    """Return whom a strategy met: by name where it is one, or else how many."""
    met = [matchup.labels for matchup in matchups if label in matchup.labels]
    opponents = sorted(set(chain.from_iterable(met)) - {label})
    everyone = set(chain.from_iterable(matchup.labels for matchup in matchups))
    if len(opponents) == 1:
        return opponents[0]
    has_met_all = len(opponents) == len(everyone) - 1
    return f"the {len(opponents)} others" if has_met_all else f"its {len(opponents)} opponents"


def answer_winner(ranking: pd.DataFrame, matchups: Sequence[Matchup], ruleset: str) -> Answer:
    """Answer from `summarise_ranking`: the first, its lead on the second, and the error of that.

    The second is left out where the `matchups` did not set both against the same opponents.
    """
    rows = list_rows(ranking)
    best, second = rows[0], rows[1]
    games = format_count(int(best["n_games"]), "game")
    rate = _percent(best, "win_rate")
    lead = _read(best, "lead")
    met = name_opponents(matchups, best["strategy"])
    against = f"against {met}"
    is_alike = met_alike(matchups, best["strategy"], second["strategy"])
    if lead.se is None:
        sentence = (
            f"{best['strategy']} won {rate} of its {games} {against}, but they were all played on "
            f"one deal, which gives no error: play more games to tell."
        )
        return Answer(WHO_WINS, "one deal cannot tell", sentence, None, ruleset)
    if is_alike and (best["win_rate"] == second["win_rate"] or not is_clear(lead)):
        sentence = (
            f"{best['strategy']} and {second['strategy']} cannot be told apart: {best['strategy']} "
            f"wins {rate} of its {games} {against}, a lead of "
            f"{format_percent(lead.mean, lead.se, signed=True)} that lies within its error."
        )
        return Answer(WHO_WINS, "too close to call", sentence, None, ruleset)
    if best["win_rate"] == second["win_rate"]:
        sentence = (
            f"{best['strategy']} and {second['strategy']} both win {rate} of their games, but "
            "against different opponents: that does not tell who is better."
        )
        return Answer(WHO_WINS, "too close to call", sentence, None, ruleset)
    sentence = f"{best['strategy']} wins {rate} of its {games} {against}{_draws(best)}"
    margin, se = best["diff"], read_number(best["diff_se"])
    than = met if any(row["strategy"] == met for row in rows) else "its opponents"
    more = "more" if margin >= 0 else "fewer"
    sentence += f" and scores {format_estimate(abs(margin), se)} points a game {more} than {than}"
    if not is_alike:
        sentence += (
            f"; {second['strategy']}, next in the ranking, met other opponents, so their win rates "
            "do not compare"
        )
    elif len(rows) > 2:
        behind = format_percent(lead.mean, lead.se)
        sentence += f"; {second['strategy']} comes next, {behind} of games behind"
    headline = f"{best['strategy']}, {rate}"
    return Answer(WHO_WINS, headline, sentence + ".", best["strategy"], ruleset)


def answer_seat(rate: Estimate, points: Estimate, ruleset: str) -> Answer:
    """Answer from `estimate_seat`: what the seat that starts the game gains by it."""
    wins = f"{format_percent(abs(rate.mean), rate.se)} of games {_more(rate)} than its fair share"
    score = f"{format_estimate(abs(points.mean), points.se)} points a game {_more(points)}"
    gain = f"the seat that starts wins {wins} and scores {score}"
    if rate.se is None:
        return Answer(
            GOING_FIRST,
            "one deal cannot tell",
            f"On the one deal played {gain} than the others: that gives no error.",
            None,
            ruleset,
        )
    if not is_clear(rate) and not is_clear(points):
        return Answer(
            GOING_FIRST,
            "not that we can see",
            f"Within the error it does not: {gain} than the others.",
            None,
            ruleset,
        )
    if not is_clear(rate):
        sentence = (
            f"It {'brings' if points.mean > 0 else 'costs'} points: the seat that starts scores "
            f"{score} than the others; that it wins {wins} lies within the error."
        )
        headline = format_estimate(points.mean, points.se, signed=True, unit="points a game")
        return Answer(GOING_FIRST, headline, sentence, None, ruleset)
    sentence = f"{'It helps' if rate.mean > 0 else 'It costs'}: {gain} than the others"
    if not is_clear(points):
        sentence += "; the points lie within their error"
    headline = f"{format_percent(rate.mean, rate.se, signed=True)} of games"
    return Answer(GOING_FIRST, headline, f"{sentence}.", None, ruleset)


def _more(value: Estimate) -> str:
    return "more" if value.mean >= 0 else "fewer"


def _draws(row: dict[str, Any]) -> str:
    if row["draw_rate"] == 0:
        return " (none was shared)" if "mean_rank" in row else " (none was drawn)"
    if "mean_rank" in row:
        return f" ({_percent(row, 'draw_rate')} of them shared, which count in part)"
    return f" ({_percent(row, 'draw_rate')} are draws, which count half)"


def _read(row: dict[str, Any], name: str) -> Estimate:
    return Estimate(float(row[name]), read_number(row[f"{name}_se"]), int(row["n_deals"]))


def _percent(row: dict[str, Any], name: str) -> str:
    return format_percent(row[name], read_number(row[f"{name}_se"]))
