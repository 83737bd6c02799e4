"""The one place where a failure becomes text on stderr and an exit code.

Every command runs inside a `GuardedGroup`: commands raise, and nothing else in lcsim prints an
error or chooses an exit code. `LCSIM_DEBUG=1` shows the traceback behind the sentence.
"""

import io
import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TextIO

import typer
from typer.core import TyperGroup

from lcsim.errors import InterruptedRunError, LcsimError, UsageError

INTERNAL = 70
INTERRUPTED = InterruptedRunError.exit_code
USAGE = 2


class GuardedGroup(TyperGroup):
    """The root command: it remembers the command line, and answers for what its commands raise."""

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **extra: Any) -> Any:
        """Keep the words as they were typed; parsing takes them apart."""
        words = list(args)
        with _answer_failures(words):
            context = super().make_context(info_name, args, *rest, **extra)
        context.obj = words
        return context

    def invoke(self, ctx: Any) -> Any:
        """Run the command; turn whatever it raises into a sentence and an exit code."""
        with _answer_failures(ctx.obj):
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


def repeat_command(ctx: typer.Context) -> str:
    """Return the command line that was typed, ready to be pasted into a shell."""
    return _join(ctx.find_root().obj)


def is_typed(ctx: typer.Context, name: str) -> bool:
    """Tell whether a parameter of the command was given, rather than left to its default."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def open_missing_streams() -> None:
    """Give a process that was started with stdout or stderr closed somewhere to write to.

    What is said on stderr can be lost; an answer cannot, so printing one to a closed stdout fails.
    """
    if sys.stdout is None:
        sys.stdout = _ClosedStream(_open_nothing())
    if sys.stderr is None:
        sys.stderr = _open_nothing()


class _ClosedStream(io.TextIOBase):
    """A stdout that was closed before the process began; `holder` keeps its number taken."""

    def __init__(self, holder: TextIO) -> None:
        self._holder = holder

    def write(self, _text: str) -> int:
        """Refuse to lose what is printed."""
        raise UsageError(
            "stdout is closed, so the result cannot be printed",
            hint="Send it somewhere, a file or /dev/null.",
        )


@contextmanager
def _answer_failures(words: list[str]) -> Iterator[None]:
    try:
        yield
    except (typer.TyperException, typer.Exit):
        raise
    except BrokenPipeError:
        _drop_stdout()
        raise typer.Exit(0) from None
    except (KeyboardInterrupt, typer.Abort):
        hint = f"Start again with: {_join(words)}"
        _fail("interrupted", hint=hint, code=INTERRUPTED)
    except LcsimError as error:
        _fail(error.message, hint=error.hint, code=error.exit_code)
    except OSError as error:
        _fail_from_system(error, words)
    except Exception as error:
        _fail_inside(error, words)


def _join(words: list[str]) -> str:
    return shlex.join(["lcsim", *words])


def _fail(message: str, *, hint: str, code: int) -> NoReturn:
    if _is_debugging():
        traceback.print_exc()
    print(f"lcsim: {message}", file=sys.stderr)
    if hint:
        print(f"  {hint}", file=sys.stderr)
    raise typer.Exit(code)


def _fail_from_system(error: OSError, words: list[str]) -> NoReturn:
    """Answer for what the system refused, be it a path or (without a name) the output."""
    if error.errno is None:
        _fail_inside(error, words)
    what = "the output" if error.filename is None else repr(os.fspath(error.filename))
    _fail(
        f"cannot use {what}: {(error.strerror or type(error).__name__).lower()}",
        hint="Check the path, its permissions and the free space, then try again.",
        code=USAGE,
    )


def _fail_inside(error: BaseException, words: list[str]) -> NoReturn:
    _fail(
        f"a fault inside lcsim, not in what you asked for ({type(error).__name__}: {error})",
        hint=f"Please report it with this command: {_join(words)}"
        " (LCSIM_DEBUG=1 shows the traceback).",
        code=INTERNAL,
    )


def _is_debugging() -> bool:
    return os.environ.get("LCSIM_DEBUG", "") not in ("", "0")


def _drop_stdout() -> None:
    """Point stdout at nothing: its reader is gone, and the flush at exit would fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = _open_nothing()


def _open_nothing() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
