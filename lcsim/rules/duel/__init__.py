"""The card game: Lost Cities, Le Duel and its older editions, for two."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.choice import (
    choose_draw_by_rating,
    choose_draw_by_rule,
    choose_play_by_rule,
    wait_for_batch,
)
from lcsim.rules.duel.batch import load_kernel, load_lockstep, play_deals
from lcsim.rules.duel.choice import choose_play_by_rating
from lcsim.rules.duel.forks import FORK_ROW_DTYPE, play_forks
from lcsim.rules.duel.kernel import HOOK_SIGNATURE
from lcsim.rules.duel.outcome import ENDINGS, ROW_DTYPE, settle_games
from lcsim.rules.duel.referee import play_game, shuffle_hidden
from lcsim.rules.duel.restrict import VOCABULARY
from lcsim.rules.duel.ruleset import KIND, PRESETS, SEATS, DuelRuleset
from lcsim.rules.duel.scoring import score_text
from lcsim.rules.duel.simulate import SIMULATION
from lcsim.rules.duel.telling import render_replay
from lcsim.rules.duel.view import BATCH_DTYPE, View
from lcsim.rules.game import AuthorContract, Game, Settled
from lcsim.rules.ruleset import FieldNote, describe_fields


def _describe(ruleset: DuelRuleset) -> list[FieldNote]:
    return describe_fields(ruleset, PRESETS[ruleset.preset])


def _row_dtype(_n_players: int) -> np.dtype[Any]:
    return ROW_DTYPE


def _check_players(ruleset: DuelRuleset, n_players: int) -> None:
    """Two play, and a ruleset's deck was checked for two when it was made."""


def _settle(_ruleset: DuelRuleset, rows: npt.NDArray[Any]) -> Settled:
    return settle_games(rows)


AUTHOR = AuthorContract(
    methods={
        "rating": {
            "lay": ("view", "card"),
            "discard": ("view", "card"),
            "draw": ("view", "card"),
        },
        "deciding": {"choose_play": ("view", "rng"), "choose_draw": ("view", "rng")},
        "batch": {"choose_play": ("views", "rngs"), "choose_draw": ("views", "rngs")},
    },
    view_fields=View._fields,
    batch_dtype=BATCH_DTYPE,
    decisions=("choose_play", "choose_draw"),
    templates={
        "rating": (choose_play_by_rating, choose_draw_by_rating),
        "deciding": (choose_play_by_rule, choose_draw_by_rule),
        "batch": (wait_for_batch, wait_for_batch),
    },
    signature=HOOK_SIGNATURE,
)

FIXED = (
    "A round ends when the last card of the draw pile is drawn; cards in hand count nothing "
    "(rule sheets of both editions).",
    "A game's points are the sum of its rounds', and may lie below 0 (rule sheets of both "
    "editions).",
    "Most points win; equal points are a draw, half a win each (no rule sheet has ties).",
)

GAME = Game(
    kind=KIND,
    title="the card game",
    presets=PRESETS,
    player_counts=range(SEATS, SEATS + 1),
    endings=ENDINGS,
    row_dtype=_row_dtype,
    author=AUTHOR,
    describe=_describe,
    fixed=FIXED,
    check_players=_check_players,
    load_kernel=load_kernel,
    find_tools=SIMULATION.find_tools,
    load_lockstep=load_lockstep,
    play_deals=play_deals,
    settle_games=_settle,
    replay=play_game,
    render_replay=render_replay,
    score_text=score_text,
    shuffle_hidden=shuffle_hidden,
    restrictions=VOCABULARY,
    fork_dtype=FORK_ROW_DTYPE,
    play_forks=play_forks,
)
