"""Detects and undoes what learner code changes in the grader's process.

The code that judges runs in the same process as the code that is judged. So
it is recorded before the learner's code runs, and compared afterwards: names
rebound in rpclab or in the builtins, functions and classes of the standard
library replaced, code objects swapped. Each change is undone and reported.

Like the audit hook, the comparison looks nothing up in this module or in the
builtins, because a learner's code could have replaced it there.
"""

import builtins
import sys
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from rpclab.course import progress

Restore = Callable[[], list[str]]
"""Undoes what was changed since the snapshot, and returns the changed names."""

_PARTS: Final = ("__code__", "__defaults__", "__kwdefaults__")
_METHODS: Final = (FunctionType, BuiltinFunctionType, classmethod, staticmethod, property)
_HEAP: Final = 1 << 9
"""The flag of a class that was made in Python."""

_CHANGES_BY_DESIGN: Final = vars(progress)["_Memory"]
"""The one class of rpclab whose attributes change while a check runs."""


class Binding(NamedTuple):
    """A name in a module, class or function, and its value."""

    holder: Any
    name: str
    value: Any


def take_snapshot() -> Restore:
    """Record the state of all loaded modules, and return what restores it.

    >>> restore = take_snapshot()
    >>> restore()
    []
    """
    loaded, parts, missing, module_type = sys.modules, _PARTS, object(), ModuleType
    namespace, read, write, remove, is_a = vars, getattr, setattr, delattr, isinstance
    modules = {name: one for name, one in loaded.items() if isinstance(one, ModuleType)}
    bindings = [(*one,) for one in _find_bindings(modules)]
    names = {name: frozenset(vars(module)) for name, module in modules.items()}
    classes = {name: module.__class__ for name, module in modules.items()}
    ours = frozenset(filter(_is_ours, modules))
    hidden = frozenset(vars(builtins))

    def remove_new_names(name: str, module: ModuleType) -> list[str]:
        """Remove names that hide a builtin, or that were added to rpclab."""
        space = namespace(module)
        wrong = [
            one
            for one in space.keys() - names[name]
            if one in hidden
            or (name in ours and one[:2] != "__" and not is_a(space[one], module_type))
        ]
        for one in wrong:
            remove(module, one)
        return wrong

    def restore() -> list[str]:
        changed = []
        for name, module in modules.items():
            if loaded.get(name) is not module:
                loaded[name] = module
                changed.append(name)
            if read(module, "__class__") is not classes[name]:
                write(module, "__class__", classes[name])
                changed.append(f"{name}.__class__")
            changed += [f"{name}.{new}" for new in remove_new_names(name, module)]
        for holder, name, value in bindings:
            now = read(holder, name) if name in parts else namespace(holder).get(name, missing)
            if now is not value:
                write(holder, name, value)
                changed.append(f"{read(holder, '__name__', holder)}.{name}")
        return changed

    return restore


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("rpclab", "builtins")


def _find_bindings(modules: dict[str, ModuleType]) -> Iterator[Binding]:
    for module_name, module in modules.items():
        if module_name == "__main__":  # it only starts the worker, which is a module of its own
            continue
        ours = _is_ours(module_name)
        for name, value in list(vars(module).items()):
            if (ours and not name.startswith("__")) or isinstance(value, (*_METHODS, type)):
                yield Binding(module, name, value)
            if getattr(value, "__module__", "") != module_name:
                continue
            if isinstance(value, type) and value is not _CHANGES_BY_DESIGN:
                yield from _find_members(value)
            yield from _find_parts(value)


def _find_members(kind: type) -> Iterator[Binding]:
    """Find the members of a class. A class made in C cannot be changed.

    Of a class of rpclab this is every member; of others, the methods.
    """
    if not kind.__flags__ & _HEAP:
        return
    ours = _is_ours(kind.__module__)
    for name, value in vars(kind).items():
        plain = not name.startswith("__") or name == "__slots__"
        if isinstance(value, _METHODS) or (ours and plain):
            yield Binding(kind, name, value)
            yield from _find_parts(getattr(value, "__func__", value))


def _find_parts(value: Any) -> Iterator[Binding]:
    if isinstance(value, FunctionType):
        for part in _PARTS:
            yield Binding(value, part, getattr(value, part))
