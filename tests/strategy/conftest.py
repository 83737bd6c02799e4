"""Strategy files written for a test."""

import pytest

BODY = """
    def lay(self, view, card):
        {lay}
    def discard(self, view, card):
        {discard}
    def draw(self, view, card):
        {draw}
"""


@pytest.fixture
def write_strategy(tmp_path):
    """Return a function that writes a rating strategy's file and returns its path."""

    def write(
        name="mine",
        *,
        before="",
        inside="",
        lay="return 1",
        discard="return 0",
        draw="return -1",
        class_name="Mine",
    ):
        path = tmp_path / f"{name}.py"
        body = BODY.format(lay=lay, discard=discard, draw=draw)
        path.write_text(
            f"{before}\nfrom lcsim.duel import *\nclass {class_name}(Strategy):\n"
            f'    """A test\'s."""\n    {inside}\n{body}',
            encoding="utf-8",
        )
        return path

    return write
