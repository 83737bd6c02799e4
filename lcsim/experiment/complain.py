"""Says what is wrong with an experiment file: the key's path, the value, what is allowed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from lcsim.errors import CountError, ExperimentError, LcsimError, did_you_mean

_HINT = "the shipped experiments, such as quickstart.toml, show how one is written"
_KINDS = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list in brackets",
    "tuple_type": "a list in brackets",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def explain_validation(
    error: ValidationError, model: type[BaseModel], where: str, *, hint: str = _HINT
) -> ExperimentError:
    """Return the error that tells a reader of the file `where` all that pydantic found wrong."""
    return ExperimentError(f"{where}: " + "; ".join(list_problems(error, model)), hint=hint)


def list_problems(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Return what pydantic found wrong, one sentence a key, with the key's path in front."""
    return [_explain_one(detail, model) for detail in error.errors(include_url=False)]


def locate(error: LcsimError, at: str) -> LcsimError:
    """Return `error` with the key's path in front: ExperimentError for what the key may say."""
    kind = CountError if isinstance(error, CountError) else ExperimentError
    return kind(f"{at}: {error.message}", hint=error.hint)


def describe_place(path: Path | None) -> str:
    """Return how messages call the experiment."""
    return str(path) if path else "this experiment"


def write_path(parts: Sequence[int | str]) -> str:
    """Return a key's path as it is read in TOML: `expect[0].strategy`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _explain_one(detail: Any, model: type[BaseModel]) -> str:
    parts, kind, value = detail["loc"], detail["type"], detail["input"]
    path = write_path(parts)
    if kind == "extra_forbidden":
        names = _list_keys(model, parts[:-1])
        near = did_you_mean(str(parts[-1]), names)
        return f"{path}: unknown key; {near}known are {', '.join(sorted(names))}"
    if kind == "missing":
        return f"{path}: is missing"
    if kind == "list_type" and isinstance(value, dict):
        return f"{path}: must be a list of tables; write [[{path}]] above each of them"
    if kind in _KINDS:
        return f"{path}: must be {_KINDS[kind]}, not {_show(value)}"
    if kind in {"string_too_short", "too_short"} and not value:
        return f"{path}: must not be empty"
    if kind in {"too_short", "too_long"}:
        limits = detail["ctx"]
        count = limits.get("min_length", limits.get("max_length"))
        return f"{path}: must have {count} entries, not {limits['actual_length']}"
    if kind == "string_too_long":
        most = detail["ctx"]["max_length"]
        return f"{path}: has {len(value)} characters, more than {most}"
    if kind == "string_pattern_mismatch":
        return f"{path}: cannot be {_show(value)}"
    if kind in {"matchups", "ruleset"}:
        return f"{path}: {detail['msg']}, not {_show(value)}"
    said = detail["msg"].removeprefix("Input should be ")
    return f"{path}: must be {said}, not {_show(value)}"


def _list_keys(model: type[BaseModel], parts: Sequence[int | str]) -> list[str]:
    """Return the keys allowed at the place `parts`, following lists into their tables."""
    for part in parts:
        if isinstance(part, str):
            annotation = model.model_fields[part].annotation
            model = next(kind for kind in get_args(annotation) if hasattr(kind, "model_fields"))
    return list(model.model_fields)


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    text = f'the text "{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
