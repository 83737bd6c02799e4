"""How many worlds there are, and that the leads they give are honest."""

import numpy as np
import pytest

from lcsim.advise import advise, parse_position, sampling
from lcsim.advise.games import ROOMS
from lcsim.advise.sampling import Budget, estimate_mean, find_half_width
from lcsim.strategy import load_strategy
from lcsim.strategy.guest import CompiledGuest

POLICY = "balanced"
EXAMPLE = ROOMS["duel"].example


def ask(text, **more):
    return advise(parse_position(text), **{"policy": POLICY, **more})


FIRST = 'ruleset = "classic"\nhand = "Rw R2 R3 R4 R5 R6 R7 R8"'


@pytest.mark.parametrize(("text", "precision"), [(EXAMPLE, 0.6), (FIRST, 0.4)])
def test_a_precision_is_reached(text, precision):
    advice = advise(parse_position(text), policy=POLICY, precision=precision)
    second = advice.options[1]
    low, high = second.lag.ci95()
    assert (high - low) / 2 <= precision
    assert advice.is_precise
    assert advice.lead_width == (high - low) / 2
    assert advice.best.margin.n == second.margin.n
    wide = advise(parse_position(text), policy=POLICY, precision=2 * precision)
    assert wide.best.margin.n < advice.best.margin.n
    assert all(option.margin.n >= 1000 for option in advice.options)
    assert "not to ±" not in advice.sentence


def test_a_precision_that_is_missed_is_said():
    advice = advise(parse_position(EXAMPLE), policy=POLICY, precision=0.25, samples=500)
    assert [option.margin.n for option in advice.options] == [500] * len(advice.options)
    assert advice.is_precise is False
    assert advice.lead_width > 0.25
    assert advice.sentence.endswith(
        f"The lead is known to ± {advice.lead_width:.2g} points (95 %) after 500 worlds, the most "
        "there may be, and not to ± 0.25."
    )


def test_every_move_is_measured_in_as_many_worlds_as_were_asked_for():
    advice = ask(EXAMPLE, samples=600)
    assert {option.margin.n for option in advice.options} == {600}
    assert advice.is_precise is None


# Moves whose margins are known: three as good as each other, one nearly so, one far worse.
TRUE = np.array([0.0, 0.0, 0.0, -0.5, -8.0])


@pytest.mark.parametrize(
    "budget", [Budget(120, None), Budget(1000, 2.5)], ids=["worlds", "precise"]
)
def test_leads_are_not_flattered_by_the_choice(monkeypatch, budget):
    """The best of equals, measured in the worlds that chose it, would lead by a standard error."""
    rng, world = np.random.default_rng(5), {}
    monkeypatch.setattr(sampling, "BATCH", 30)
    monkeypatch.setattr(sampling, "FEWEST", 60)
    monkeypatch.setattr(
        sampling, "deal_world", lambda *_: world.update(margins=rng.normal(TRUE, 10).round())
    )
    monkeypatch.setattr(sampling, "try_move", lambda _, move: world["margins"][move])
    guest = CompiledGuest(load_strategy(POLICY, kind="duel"))
    errors, lows = [], []
    for _ in range(500):
        best, found = sampling.sample_worlds(
            lambda: None, guest, range(5), budget, value=lambda margins: margins.astype(float)
        )
        margins = {one.move: one.margins for one in found}
        lead, second = min(
            (
                (estimate_mean(margins[best][: len(margins[move])] - margins[move]), move)
                for move in margins
                if move != best
            ),
            key=lambda pair: pair[0].mean,
        )
        error = lead.mean - (TRUE[best] - TRUE[second])
        errors.append(error / lead.se)
        lows.append(error > lead.mean - lead.ci95()[0])
        if budget.precision:
            assert find_half_width(lead) <= budget.precision or len(margins[best]) == 1000
    assert np.mean(lows) < 0.035  # overstated by more than the interval allows: 2.5 %, or less
    assert np.mean(errors) < 0.1
    assert np.mean(np.abs(errors) < 1.97) > 0.9


def test_the_next_move_is_measured_as_well_whichever_it_turns_out_to_be(monkeypatch):
    """Move 2 is out of the question in the worlds that choose, and close in those that measure."""
    rng, world = np.random.default_rng(5), {}

    def deal(_, number):
        means = [0, -3, -1 if number >= sampling.FRESH else -40]
        world["margins"] = rng.normal(means, 10).round()

    monkeypatch.setattr(sampling, "deal_world", deal)
    monkeypatch.setattr(sampling, "try_move", lambda _, move: world["margins"][move])
    guest = CompiledGuest(load_strategy(POLICY, kind="duel"))
    best, found = sampling.sample_worlds(
        lambda: None,
        guest,
        range(3),
        Budget(9000, 0.5),
        value=lambda margins: margins.astype(float),
    )
    assert best == 0
    counts = [len(one.margins) for one in found]
    assert counts[0] == counts[2] > 1000
    assert find_half_width(estimate_mean(found[0].margins - found[2].margins)) <= 0.5


def test_what_goes_on_is_reported():
    heard = []
    ask(FIRST, samples=600, report=lambda *told: heard.append(told))
    assert heard[0] == ("choosing", 250, 600)
    assert heard[-3:] == [
        ("measuring", 250, 600),
        ("measuring", 500, 600),
        ("measuring", 600, 600),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "n"), [(EXAMPLE, 400), (FIRST, 200)])
def test_leads_cover_what_many_worlds_say(text, n):
    truth = {one.name: one for one in ask(text, samples=100_000, seed=10**6).options}
    hits, lows = [], []
    for seed in range(n):
        advice = ask(text, samples=400, seed=seed)
        best, second = advice.options[:2]
        true = truth[best.name].margin.mean - truth[second.name].margin.mean
        low, high = second.lag.ci95()
        hits.append(low <= true <= high)
        lows.append(true < low)
    assert 0.9 < np.mean(hits) < 0.985
    assert np.mean(lows) < 0.05
