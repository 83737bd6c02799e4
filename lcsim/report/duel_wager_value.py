"""What a wager is worth: three answers that are not the same, kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lcsim.report import duel_wager_frames, restriction_sections, restrictions, tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Cell, Figure, Header, Section, Table
from lcsim.report.duel_forks import EVERYBODY, SORTINGS, ForkCount, Sorting
from lcsim.report.expedition_pieces import say_reach
from lcsim.report.plots import duel_wager_value
from lcsim.report.plots.cut import note_cut
from lcsim.report.sections import WIDTH, Chapter
from lcsim.rules import parse_ruleset
from lcsim.stats.rounding import format_count, format_estimate
from lcsim.strategy.spec import split_restriction

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.duel_tally import ExpeditionTally
    from lcsim.stats.estimate import Estimate

WORTH = "What is a wager worth?"
EXPLAINED = (
    "Three answers that are not the same. Described: the mean score of expeditions with wagers "
    "less that of those without, confounded, since wagers are laid on the better hands. Without: "
    "what the strategy loses where it is forbidden to lay wagers, against the same opponents on "
    "the same deals. Marginal: what a wager brought when it was laid, which is the game as it was "
    "played less the same game with the strategy's best other move at that turn; the wager may "
    "still be laid later."
)
_MARGINAL = (
    "Own points a wager, the game as played less the same game with the best other move at that "
    "turn. A mean over wagers is a ratio of sums over deals, and ± its standard error over deals."
)
_MOST_NAMED = 4
_DRAWN = ("cards", "wager", "turn")


def build_wager_answers(chapter: Chapter) -> list[Answer]:
    """Answer what a wager is worth; nothing where the run can only describe."""
    without = _find_without(chapter)
    laid = _list_marginal(chapter)
    if not without and chapter.forks is None:
        return []
    parts = []
    if without:
        said = "; ".join(
            f"{restriction_sections.say_worth(worth)} to {label}"
            for label, worth in list(without.items())[:_MOST_NAMED]
        )
        more = len(without) - _MOST_NAMED
        if more > 0:
            said += f"; the table has {format_count(more, 'more strategy', 'more strategies')}"
        parts.append(f"To be allowed wagers is worth {said}")
    if laid:
        parts.append(_say_marginal(laid))
    elif chapter.forks is not None:
        parts.append("nobody laid a wager in the games that were forked")
    sentence = ". ".join(f"{part[0].upper()}{part[1:]}" for part in parts) + "."
    return [Answer(WORTH, *_choose_headline(without, laid, sentence), chapter.ruleset)]


def _choose_headline(
    without: dict[str, Any], laid: list[tuple[str, Estimate]], sentence: str
) -> tuple[str, str, str | None]:
    """Return the headline, the sentence and the strategy that the headline is about."""
    if laid:
        (label, value), unit = laid[0], "points a wager"
    elif without:
        label, unit = next(iter(without)), "points a game"
        value = without[label]["score"].diff
    else:
        return "none was laid", sentence, None
    if value.se is None:
        return "one deal cannot tell", sentence, None
    if not is_clear(value):
        return "nothing that we can see", sentence, None
    shown = format_estimate(value.mean, value.se, signed=True, unit=unit)
    return f"{shown} to {label}", sentence, label


def _say_marginal(laid: list[tuple[str, Estimate]]) -> str:
    label, value = laid[0]
    said = (
        f"a wager that {label} lays is worth {_points(value)} points against its best other move "
        "at that turn"
    )
    if len(laid) > 1:
        ordered = sorted(laid, key=lambda pair: pair[1].mean)
        (low, least), (high, most) = ordered[0], ordered[-1]
        said += f"; {say_reach((_points(least), low), (_points(most), high))}"
    return said


def _points(value: Estimate) -> str:
    return format_estimate(value.mean, value.se, signed=True)


def _find_without(chapter: Chapter) -> dict[str, Any]:
    twins = restrictions.find_twins(chapter.collected, chapter.source)
    worths = restrictions.list_worths(chapter.collected, twins)
    found = duel_wager_frames.map_without(worths)
    return {label: found[label] for label in chapter.order if label in found}


def _list_marginal(chapter: Chapter) -> list[tuple[str, Estimate]]:
    """Return the mean value of a wager of each strategy that laid one, best strategy first."""
    if chapter.forks is None:
        return []
    values = ((label, chapter.forks.estimate(label, "points")) for label in chapter.order)
    return [(label, value) for label, value in values if value is not None]


def build_wager_sections(chapter: Chapter) -> list[Section]:
    """Return the section on what a wager is worth; none where the ruleset has no wagers."""
    if parse_ruleset(chapter.collected.ruleset).wagers_per_color == 0:
        return []
    without = _find_without(chapter)
    items: list[Figure | Table] = [_build_three(chapter, without)]
    if without:
        items.append(_build_without(chapter))
    if chapter.forks is not None:
        items += _build_marginal(chapter, chapter.forks)
    lead = " ".join([EXPLAINED, *_say_missing(chapter, bool(without))])
    return [Section(chapter.name("wager-value"), WORTH, lead, tuple(items), chapter.ruleset)]


def _say_missing(chapter: Chapter, has_without: bool) -> list[str]:
    """Return a sentence for each answer that this run cannot give, with what gives it."""
    said = []
    if not has_without:
        free = [label for label in chapter.order if not split_restriction(label)[1]]
        name = (free or chapter.order)[0]
        said.append(
            "This run has no strategy beside its twin without wagers: to get that answer, add "
            f'"{name}@no-wagers" to the strategies of the experiment.'
        )
    if chapter.source.n_forks_planned == 0:
        said.append(
            "No move was forked in this run: to get the marginal answer, add the table [forks] "
            "with games = 2_000 to the experiment."
        )
    elif not chapter.source.has_all_forks:
        said.append(
            "Not all forks that were planned have been played yet; to go on: "
            f"{chapter.source.command}"
        )
    return said


def _build_three(chapter: Chapter, without: dict[str, Any]) -> Table:
    tally = cast("ExpeditionTally", chapter.collected.extra)
    frame = _mark(
        duel_wager_frames.summarise_three(chapter.order, tally, without, chapter.forks), chapter
    )
    columns = [
        tables.column_strategy(),
        tables.column_text("answer", "answer"),
        tables.column_estimate("points", "wagers are worth", signed=True),
        tables.column_interval("points"),
        tables.column_text("unit", "in"),
        tables.column_percent("win_rate", "and in wins", signed=True, help_text="share of games"),
        (Header("from"), _count),
    ]
    return tables.build_table(
        "wager_value",
        frame,
        columns,
        title="Three answers",
        caption="They measure different things in different units, so they need not agree: an "
        "expedition with wagers against one without, all wagers of a game against none, and one "
        "wager against the best other move. ± is one standard error, over deals.",
    )


def _count(row: tables.Row) -> Cell:
    return Cell(f"{format_count(int(row['n']))} {row['counted']}", int(row["n"]))


def _build_without(chapter: Chapter) -> Figure:
    twins = [
        one
        for one in restrictions.find_twins(chapter.collected, chapter.source)
        if one.restriction == "no-wagers" and one.shared
    ]
    frame = restrictions.summarise_by_opponent(chapter.collected, twins)
    groups = "laying wagers, to " + frame["strategy"] + ", against"
    against = frame.assign(strategy=frame["opponent"])
    return restriction_sections.build_figure(chapter, "wager-without", against, groups)


def _build_marginal(chapter: Chapter, forks: ForkCount) -> list[Figure | Table]:
    frame = _mark(duel_wager_frames.summarise_marginal(forks, chapter.order), chapter)
    columns = [
        _column_whose(),
        tables.column_estimate("wagers", "wagers a game"),
        *_value_columns(),
    ]
    games, deals = format_count(forks.n_games, "game"), format_count(forks.n_deals, "deal")
    table = tables.build_table(
        "wager_marginal",
        frame,
        columns,
        title="One wager more",
        caption=f"{_MARGINAL} From {games} on {deals}, in which every wager laid was "
        "forked. Margin is own points less the opponent's; wins are games won a wager; the share "
        "that paid brought points.",
    )
    items: list[Figure | Table] = [table]
    for sorting in SORTINGS:
        items += _build_sorted(chapter, forks, sorting)
    return [*items, _build_extremes(chapter, forks)]


def _build_sorted(chapter: Chapter, forks: ForkCount, sorting: Sorting) -> list[Figure | Table]:
    frame = _mark(duel_wager_frames.summarise_sorted(forks, chapter.order, sorting), chapter)
    shown = frame[frame["n_wagers"] > 0] if len(frame) else frame
    columns = [_column_whose(), _column_band(sorting), *_value_columns()]
    table = tables.build_table(
        f"wager_marginal_by_{sorting.key}",
        shown,
        columns,
        title=f"By {sorting.title}",
        caption=_MARGINAL,
    )
    info = duel_wager_value.prepare(frame, sorting.key, sorting.title, chapter.colors)
    if sorting.key not in _DRAWN or not info.lines:
        return [table]
    most = f" The {len(info.lines)} strongest strategies." if info.is_cut else ""
    figure = Figure(
        chapter.name(f"wager-by-{sorting.key}"),
        f"What a wager brings, by {sorting.title}",
        "Above the dashed line, a wager laid there brought more points than the best other move. "
        f"Dots are means in points a wager, bars 95 % intervals{note_cut(info.is_cut_off)}; what "
        f"fewer than {duel_wager_value.MIN_DEALS} deals have is in the table only.{most} "
        f"n = {format_count(info.n_wagers, 'wager')}.",
        info,
        duel_wager_value.draw,
        (WIDTH, 4.0),
    )
    return [figure, table]


def _column_band(sorting: Sorting) -> tables.Column:
    """Return the column of a sorting's bands, which sorts by their order."""
    return Header(sorting.title), lambda row: Cell(str(row[sorting.key]), int(row["band"]))


def _build_extremes(chapter: Chapter, forks: ForkCount) -> Table:
    columns = [
        tables.column_count("points", "points", help_text="of whoever laid the wager"),
        tables.column_strategy(),
        tables.column_text("matchup", "matchup"),
        tables.column_text("card", "wager"),
        _column_totals("", "as played"),
        _column_totals("_without", "with the other move"),
        tables.column_command("replay", "to see it as played"),
        tables.column_command("replay_without", "to see it with the other move"),
    ]
    return tables.build_table(
        "wager_extremes",
        _mark(duel_wager_frames.summarise_extremes(forks, chapter.source), chapter),
        columns,
        title="The wagers that brought most, and cost most",
        caption="Single games, of each the wager that stands out most, so without error: what luck "
        "can make of a wager. Totals are those of the game, its own before the opponent's.",
    )


def _column_totals(suffix: str, title: str) -> tables.Column:
    def read(row: tables.Row) -> Cell:
        own, opponent = (int(row[f"{name}{suffix}"]) for name in ("own", "opponent"))
        return Cell(f"{format_count(own)} : {format_count(opponent)}", own)

    return Header(title), read


def _column_whose() -> tables.Column:
    """Return the column of strategies, in which a missing one stands for all of them."""

    def read(row: tables.Row) -> Cell:
        label = row["strategy"]
        is_one = isinstance(label, str) and label != EVERYBODY
        return Cell(label, label, label=label) if is_one else Cell("all strategies", "")

    return Header("strategy", False), read


def _value_columns() -> list[tables.Column]:
    return [
        tables.column_estimate("points", "points a wager", signed=True),
        tables.column_interval("points"),
        tables.column_estimate("margin", "margin", signed=True),
        tables.column_percent("win_rate", "wins", signed=True),
        tables.column_percent("paid", "paid", bar=True),
        tables.column_count("n_wagers", "wagers"),
    ]


def _mark(frame: pd.DataFrame, chapter: Chapter) -> pd.DataFrame:
    frame.insert(0, "ruleset", chapter.collected.ruleset)
    return frame
