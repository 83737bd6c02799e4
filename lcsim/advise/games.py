"""The games that advice is given on: what each knows of its positions."""

from __future__ import annotations

from collections.abc import Mapping

from lcsim.advise import board, duel
from lcsim.advise.position import Room

ROOMS: Mapping[str, Room] = {"duel": duel.ROOM, "board": board.ROOM}
