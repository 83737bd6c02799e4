"""A strategy as text: `cautious-opener:open_at=18`, `mine.py`, `mine.py:ClassName:open_at=18`.

Any of them may end in what its seat may not do, `@no-wagers`: see lcsim.rules.restriction.
"""

import re
from dataclasses import dataclass

from lcsim.errors import SpecError
from lcsim.rules.restriction import split_restriction
from lcsim.rules.ruleset import split_spec

__all__ = ["Spec", "parse_spec", "split_restriction"]

_NAME_AND_PARAM = re.compile(r"[\w-]+:\w+=")  # what follows may be a guest's file


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec: a name or a path with perhaps a class; parameters and restriction as text."""

    target: str
    class_name: str
    given: dict[str, str]
    restriction: str = ""

    @property
    def is_path(self) -> bool:
        """Whether the target is a file."""
        return self.target.endswith(".py")


def parse_spec(text: str) -> Spec:
    """Parse a spec; raises SpecError."""
    target, restriction = split_restriction(text.strip())
    if target + restriction != text.strip() and not restriction:
        raise SpecError(
            f"{text!r} ends after the @", hint="Write what is forbidden: balanced@no-wagers."
        )
    class_name, rest = "", ""
    file, dot_py, after = target.partition(".py:")
    if dot_py and not _NAME_AND_PARAM.match(file):
        target = file + ".py"
        head, colon, tail = after.partition(":")
        class_name, rest = ("", after) if "=" in head else (head, tail if colon else "")
        if not class_name and not rest:
            raise SpecError(
                f"{text!r} ends after the colon",
                hint="Write file.py, file.py:ClassName or file.py:ClassName:name=value.",
            )
    elif dot_py or not target.endswith(".py") or "=" in target:
        target, _, rest = target.partition(":")
    if not target:
        raise SpecError("a strategy's spec is empty", hint="`lcsim strategies list` names them.")
    _, given = split_spec(f"{target.replace(':', '/')}:{rest}")
    return Spec(target, class_name, given, restriction)
