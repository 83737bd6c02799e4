"""The report of a run or a tuning, written: what the command line calls."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from lcsim.errors import RunDirError, UnknownNameError
from lcsim.store import tune_dir
from lcsim.store.files import explain_disk_errors, replace_file
from lcsim.store.run_dir import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path

    from lcsim.report.document import Report

Format = Literal["html", "md", "json", "csv"]
FORMATS: tuple[Format, ...] = ("html", "md", "json", "csv")


def write_report(
    run_dir: Path, *, formats: Iterable[str] = FORMATS, out: Path | None = None
) -> list[Path]:
    """Write the report of the run or tuning in `run_dir`; return the files, the page first.

    `html` and `md` give report.html and report.md, with the figures beside them as
    figures/*.svg and *.png; `json` gives report.json; `csv` gives tables/*.csv, and
    tables/columns.md, which says what each column holds. They go into `out`, or else into `run_dir`
    itself.

    Raises:
        UnknownNameError: a format that is none.
        RunDirError: `run_dir` holds neither.
        PartError: a part is damaged or does not fit, or nothing has been played yet.
        StoreError: a file cannot be written.
    """
    wanted = tuple(dict.fromkeys(formats))
    for name in wanted:
        if name not in FORMATS:
            raise UnknownNameError("format of a report", name, FORMATS)
    report = _build(run_dir)
    folder = run_dir if out is None else out
    written = []
    base = "" if out is None else f"{os.path.relpath(run_dir, out)}/"
    for name, data in _render(report, wanted, base):
        path = folder / name
        with explain_disk_errors("create", path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)
        written.append(path)
    return written


def _build(folder: Path) -> Report:
    from lcsim.report.tuning_source import is_tuning

    if is_tuning(folder):
        from lcsim.report.tuning import build_tuning_report

        return build_tuning_report(folder)
    from lcsim.report.build import build_report

    _refuse_neither(folder)
    return build_report(folder)


def _refuse_neither(folder: Path) -> None:
    """Raise RunDirError for a folder without run or tuning; files and such are the run's to say."""
    if not folder.exists():
        raise RunDirError(
            f"there is no folder {folder}",
            hint=f"play it first: lcsim run … --out {folder}, or lcsim tune … --out {folder}",
        )
    if folder.is_dir() and not (folder / MANIFEST).exists():
        raise RunDirError(
            f"{folder} holds neither a run nor a tuning: there is no {MANIFEST} and no "
            f"{tune_dir.MANIFEST}",
            hint="give the folder that `lcsim run`, `lcsim match --out` or `lcsim tune` wrote",
        )


def _render(report: Report, formats: tuple[str, ...], base: str) -> Iterator[tuple[str, bytes]]:
    from lcsim.report.dictionary import render_dictionary
    from lcsim.report.export import gather_frames, render_csv, render_json
    from lcsim.report.figures import draw_figure

    has_figures = "html" in formats or "md" in formats
    drawings = {f.name: draw_figure(f) for f in report.list_figures()} if has_figures else {}
    if "html" in formats:
        from lcsim.report.html import render_html

        svgs = {name: drawing.svg for name, drawing in drawings.items()}
        yield "report.html", render_html(report, svgs, base=base).encode()
    if "md" in formats:
        from lcsim.report.markdown import render_markdown

        yield "report.md", render_markdown(report, base=base).encode()
    if "json" in formats:
        yield "report.json", render_json(report, base=base).encode()
    if "csv" in formats:
        frames = gather_frames(report)
        for name, frame in frames.items():
            yield f"tables/{name}.csv", render_csv(frame).encode()
        text = render_dictionary(frames, report.kind, has_parts=report.has_parts)
        yield "tables/columns.md", text.encode()
    for name, drawing in drawings.items():
        yield f"figures/{name}.svg", drawing.svg
        yield f"figures/{name}.png", drawing.png
