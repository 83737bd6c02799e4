"""Advice on a position: what each move brings, when hidden cards are dealt anew and played on.

from lcsim.advise import advise, parse_position

advice = advise(parse_position(text), samples=5000)
print(advice.sentence)
for option in advice.options:
    print(option.name, option.margin.mean, option.margin.se)
"""

from lcsim.advise.advice import Advice, Option, advise
from lcsim.advise.position import DRAW, PLAY, STEP, Position
from lcsim.advise.replayed import take_position
from lcsim.advise.text import load_position, parse_position, write_position

__all__ = [
    "DRAW",
    "PLAY",
    "STEP",
    "Advice",
    "Option",
    "Position",
    "advise",
    "load_position",
    "parse_position",
    "take_position",
    "write_position",
]
