"""Whatever is typed or found on disk is answered with a result or an error of ours."""

import pytest
from fuzz_targets import TARGETS
from hypothesis import HealthCheck, given, settings

from lcsim.errors import LcsimError

FEW, MANY = 40, 4000  # cases a target
OURS = (2, 3, 4)  # exit codes that put the fault outside lcsim


def feed(target, *, n, **options):
    """Feed a target with `n` cases."""

    @settings(
        max_examples=n,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        **options,
    )
    @given(target.make)
    def take(case):
        error = _feed_one(target, case)
        if error is not None:
            assert error.exit_code in OURS, error
            assert error.message

    take()


def _feed_one(target, case):
    try:
        target.feed(case)
    except LcsimError as error:
        return error
    return None


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_cases(name):
    feed(TARGETS[name], n=FEW, derandomize=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_many_cases(name):
    feed(TARGETS[name], n=MANY)


def test_the_slow_suite_has_20000_cases():
    assert len(TARGETS) * MANY >= 20_000
