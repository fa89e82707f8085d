"""What must be after a learner's code as it was before.

Everything that judges lives in the process of who is judged. So it is noted
down before, thing by thing, and looked at again after: names rebound in rpclab
or in the builtins, functions and classes of the standard library replaced, code
swapped. What is found is put back, and told.
"""

import builtins
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from rpclab.course import progress

_MISSING: Final = object()
_PARTS: Final = ("__code__", "__defaults__", "__kwdefaults__")
_METHODS: Final = (FunctionType, BuiltinFunctionType, classmethod, staticmethod, property)
_HEAP: Final = 1 << 9
"""The flag of a class that was made in Python."""

_OWN_STATE: Final = vars(progress)["_Kept"]


class Thing(NamedTuple):
    """A name somewhere, and what it stood for."""

    holder: Any
    name: str
    value: Any


class Pristine:
    """The state of all modules that are loaded when it is made.

    >>> Pristine().put_back()
    []
    """

    def __init__(self) -> None:
        self._modules = {
            name: module for name, module in sys.modules.items() if isinstance(module, ModuleType)
        }
        self._things = list(_find_things(self._modules))
        self._names = {name: set(vars(module)) for name, module in self._modules.items()}
        self._builtins = frozenset(vars(builtins))

    def put_back(self) -> list[str]:
        """Put back what was changed, and give its names."""
        changed = []
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                changed.append(name)
            changed += [f"{name}.{new}" for new in self._drop_new(name, module)]
        for holder, name, value in self._things:
            if _look(holder, name) is not value:
                setattr(holder, name, value)
                changed.append(f"{getattr(holder, '__name__', holder)}.{name}")
        return changed

    def _drop_new(self, name: str, module: ModuleType) -> list[str]:
        """Take out names that hide a builtin, or that were put into rpclab."""
        new = vars(module).keys() - self._names[name]
        ours = _is_ours(name)
        wrong = [
            one
            for one in new
            if one in self._builtins
            or (ours and not one.startswith("__") and not isinstance(vars(module)[one], ModuleType))
        ]
        for one in wrong:
            delattr(module, one)
        return wrong


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("rpclab", "builtins")


def _look(holder: Any, name: str) -> Any:
    if name in _PARTS:
        return getattr(holder, name)
    return vars(holder).get(name, _MISSING)


def _find_things(modules: dict[str, ModuleType]) -> Iterator[Thing]:
    for module_name, module in modules.items():
        if module_name == "__main__":
            continue
        ours = _is_ours(module_name)
        for name, value in list(vars(module).items()):
            if (ours and not name.startswith("__")) or isinstance(value, (*_METHODS, type)):
                yield Thing(module, name, value)
            if getattr(value, "__module__", "") != module_name:
                continue
            if isinstance(value, type) and value is not _OWN_STATE:
                yield from _find_members(value)
            yield from _find_parts(value)


def _find_members(kind: type) -> Iterator[Thing]:
    """Give the methods of a class. A class made in C cannot be changed."""
    if not kind.__flags__ & _HEAP:
        return
    for name, value in vars(kind).items():
        if isinstance(value, _METHODS) or (_is_ours(kind.__module__) and name == "__slots__"):
            yield Thing(kind, name, value)
            yield from _find_parts(getattr(value, "__func__", value))


def _find_parts(value: Any) -> Iterator[Thing]:
    if isinstance(value, FunctionType):
        for part in _PARTS:
            yield Thing(value, part, getattr(value, part))
