"""A strategy as text: `cautious-opener:open_at=18`, `mine.py`, `mine.py:ClassName:open_at=18`."""

from dataclasses import dataclass

from lcsim.errors import SpecError
from lcsim.rules.ruleset import split_spec


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec: a name or a path with perhaps a class, and the parameters as text."""

    target: str
    class_name: str
    given: dict[str, str]

    @property
    def is_path(self) -> bool:
        """Whether the target is a file."""
        return self.target.endswith(".py")


def parse_spec(text: str) -> Spec:
    """Parse a spec; raises SpecError."""
    target, class_name, rest = text.strip(), "", ""
    file, dot_py, after = target.rpartition(".py:")
    if dot_py:
        target = file + ".py"
        head, colon, tail = after.partition(":")
        class_name, rest = ("", after) if "=" in head else (head, tail if colon else "")
        if not class_name and not rest:
            raise SpecError(
                f"{text!r} ends after the colon",
                hint="Write file.py, file.py:ClassName or file.py:ClassName:name=value.",
            )
    elif not target.endswith(".py"):
        target, _, rest = target.partition(":")
    if not target:
        raise SpecError("a strategy's spec is empty", hint="`lcsim strategies list` names them.")
    _, given = split_spec(f"{target.replace(':', '/')}:{rest}")
    return Spec(target, class_name, given)
