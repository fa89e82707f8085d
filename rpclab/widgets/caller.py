"""The method caller: a method table to call by position and by name."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.demos.console import Console, Exchange
from rpclab.errors import InvalidParams, ParseError
from rpclab.messages import Json
from rpclab.methods import Methods, bind
from rpclab.widgets import render, rows, strings
from rpclab.widgets.base import Widget


@dataclass(frozen=True, repr=False, slots=True)
class Called:
    """How params were bound, and the exchange."""

    bound: str
    exchange: Exchange

    def __repr__(self) -> str:
        """Say how the params were bound, then what went over the wire."""
        return f"{strings.BOUND}: {self.bound}\n{self.exchange}"


def say_binding(function: Callable[..., Any], params: str) -> str:
    """Say how JSON text binds to a function's parameters.

    >>> say_binding(lambda minuend, subtrahend: 0, '{"subtrahend":23,"minuend":42}')
    'minuend=42, subtrahend=23'
    """
    try:
        value: Json = decode(params) if params.strip() else None
        if params.strip() and not isinstance(value, list | dict):
            return strings.NOT_STRUCTURED
        bound = bind(inspect.signature(function), value)
    except (ParseError, InvalidParams) as error:
        return strings.NO_FIT.format(why=error.data)
    return ", ".join(f"{name}={value!r}" for name, value in bound.arguments.items()) or strings.NONE


class MethodCaller(Widget):
    """A table of the functions given, a field for params, and what came back."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self._functions = {function.__name__: function for function in functions}
        methods = Methods()
        for function in functions:
            methods.add(function)
        self.console = Console(methods)
        wide = w.Layout(width="98%")
        names = [*self._functions, strings.NO_SUCH_METHOD]
        self._method = w.Dropdown(options=names, description="method")
        self._params = w.Text(description="params", placeholder=strings.PARAMS_HINT, layout=wide)
        button = w.Button(description=strings.CALL_METHOD, button_style="primary")
        self._shown = w.HTML(f"<p>{strings.NOT_CALLED}</p>")
        button.on_click(self.guarded(lambda _: self.call(self._method.value, self._params.value)))
        super().__init__(
            w.HTML(as_table(self._functions)), self._method, self._params, button, self._shown
        )
        for name, part in (("method", self._method), ("params", self._params), ("call", button)):
            part.add_class(f"rpclab-{name}")
        self._shown.add_class("rpclab-called")

    def call(self, method: str, params: str = "") -> Called:
        """Do what the button does: call a method with params as JSON text."""
        function = self._functions.get(method)
        bound = say_binding(function, params) if function else strings.NOT_IN_TABLE
        with_params = f',"params":{params}' if params.strip() else ""
        line = f'{{"jsonrpc":"2.0","method":{encode(method)}{with_params},"id":1}}'
        called = Called(bound, self.console.send(line))
        said = f"<p>{strings.BOUND}: {rows.code(bound)}</p>"
        self._shown.value = said + render.exchange(called.exchange)
        return called


def as_table(functions: dict[str, Callable[..., Any]]) -> str:
    """Show each method's name, and the parameters of its function."""
    return rows.table(
        strings.METHOD_COLUMNS,
        [
            (rows.code(name), rows.code(str(inspect.signature(function))))
            for name, function in functions.items()
        ],
    )
