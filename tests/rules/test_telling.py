"""What a replay says at its end."""

import pytest

from lcsim.rules.telling import tell_result


def end(totals, winners):
    return {"totals": totals, "winners": winners}


@pytest.mark.parametrize(
    ("totals", "winners", "says"),
    [
        ((90, 80), [0], "x 90, y 80: x wins."),
        ((80, 80), [1], "x 80, y 80: y wins (more artefacts)."),
        ((80, 80), [0, 1], "x 80, y 80: a draw."),
        ((80, 80, 70), [0, 1], "x 80, y 80, z 70: x and y share the win."),
        ((80, 80, 80), [0, 2], "x 80, y 80, z 80: x and z share the win (more artefacts)."),
        ((80, 80, 80), [2], "x 80, y 80, z 80: z wins (more artefacts)."),
    ],
)
def test_what_decided_between_equal_points_is_told(totals, winners, says):
    names = "xyz"[: len(totals)]
    record = end(list(totals), winners)
    assert tell_result(record, names, tie="more artefacts") == f"Final score: {says}"
    plain = says.replace(" (more artefacts)", "")
    assert tell_result(record, names) == f"Final score: {plain}"
