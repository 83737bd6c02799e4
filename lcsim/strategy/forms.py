"""Whether a strategy's class is written as its game wants: which methods it has, and which not."""

import inspect
from pathlib import Path
from types import FunctionType

from lcsim.errors import StrategyLoadError
from lcsim.rules import get_game
from lcsim.strategy.base import StrategyBase, find_form, list_forms
from lcsim.strategy.weights import list_weights

_MADE_BY_PYTHON = {"__annotate__", "__annotate_func__"}


def check_form(path: Path, cls: type[StrategyBase]) -> None:
    """Raise StrategyLoadError unless a class of the file at `path` is written as one form wants."""
    forms = list_forms(cls, get_game(cls.kind).author.methods)
    form, missing = find_form(cls, forms)
    if form is None:
        wanted = " or ".join(f"{', '.join(methods)} ({form})" for form, methods in forms.items())
        raise StrategyLoadError(
            f"{path}: {cls.__name__} must define the methods of one form: {wanted}",
            hint="Define every method of one form and none of another.",
            path=path,
            line=inspect.getsourcelines(cls)[1],
        )
    if missing:
        raise StrategyLoadError(
            f"{path}: {cls.__name__} lacks {', '.join(missing)}",
            hint=f"A {form} strategy defines {', '.join(forms[form])}.",
            path=path,
            line=inspect.getsourcelines(cls)[1],
        )
    if list_weights(cls) and not cls.is_batch:
        raise StrategyLoadError(
            f"{path}: {cls.__name__} has Weights, which a compiled strategy cannot read",
            hint="Make it a BatchStrategy, or write the numbers as constants of the class.",
            path=path,
            line=inspect.getsourcelines(cls)[1],
        )
    _refuse_own_making(path, cls)
    for name, arguments in forms[form].items():
        _check_method(path, cls, name, arguments)


def _check_method(
    path: Path, cls: type[StrategyBase], name: str, arguments: tuple[str, ...]
) -> None:
    """Raise StrategyLoadError unless a method can be called with self and its arguments."""
    method = inspect.getattr_static(cls, name)
    wanted = ", ".join(("self", *arguments))
    what = f"{cls.__name__}.{name} is no plain method"
    if isinstance(method, FunctionType) and not method.__closure__:
        signature = inspect.signature(method)
        try:
            signature.bind(None, *arguments)
        except TypeError:
            what = f"{cls.__name__}.{name} takes {signature}"
        else:
            return
    code = getattr(inspect.unwrap(getattr(cls, name)), "__code__", None)
    line = code.co_firstlineno if code else inspect.getsourcelines(cls)[1]
    raise StrategyLoadError(
        f"{path}, line {line}: {what}, and is called with ({wanted})",
        hint=f"Write it as `def {name}({wanted}):`, without a decorator.",
        path=path,
        line=line,
    )


def _refuse_own_making(path: Path, cls: type[StrategyBase]) -> None:
    """Refuse a class with methods that Python calls by itself, such as __init__.

    lcsim makes a strategy and sets its parameters; such a method would break that, or get around
    what keeps a strategy without state.
    """
    for base in cls.__mro__:
        if base.__module__ != cls.__module__:
            continue
        for name, value in vars(base).items():
            made = getattr(value, "__func__", getattr(value, "fget", value))
            is_special = name.startswith("__") and name.endswith("__")
            if is_special and name not in _MADE_BY_PYTHON and isinstance(made, FunctionType):
                line = made.__code__.co_firstlineno
                raise StrategyLoadError(
                    f"{path}, line {line}: {base.__name__}.{name} is out of bounds: a strategy "
                    "keeps no state, and lcsim sets its parameters",
                    hint="Leave it out: write Params and constants into the class, and give other "
                    "methods plain names.",
                    path=path,
                    line=line,
                )
