"""What a plug-in is: its parameters, its spec, where it is found and how it is compiled."""

from lcsim.strategy.base import StrategyBase
from lcsim.strategy.catalog import ParamInfo, StrategyEntry, find_strategies
from lcsim.strategy.compile import CompiledStrategy, check_code, compile_strategy, load_engines
from lcsim.strategy.load import LoadedStrategy, load_class, load_strategy
from lcsim.strategy.params import Param

__all__ = [
    "CompiledStrategy",
    "LoadedStrategy",
    "Param",
    "ParamInfo",
    "StrategyBase",
    "StrategyEntry",
    "check_code",
    "compile_strategy",
    "find_strategies",
    "load_class",
    "load_engines",
    "load_strategy",
]
