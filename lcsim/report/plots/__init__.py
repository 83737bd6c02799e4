"""One plot a file: `prepare(…) -> Info` holds what is drawn, `draw(info, ax)` draws it."""
