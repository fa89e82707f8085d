"""The method caller: a method table to call by position and by name."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.demos.console import Console, Exchange
from rpclab.errors import InvalidParams, ParseError
from rpclab.messages import Json
from rpclab.methods import Methods, bind
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import Html, code, paragraph, table, template
from rpclab.widgets.wire_console import show_exchange

NO_SUCH_METHOD: Final = "no_such_method"


@dataclass(frozen=True, repr=False, slots=True)
class Called:
    """How the params of a call were bound, and what went over the wire."""

    bound: str
    exchange: Exchange

    def __repr__(self) -> str:
        """Say how the params were bound, then show what went over the wire."""
        return f"bound: {self.bound}\n{self.exchange}"


def say_binding(function: Callable[..., Any], params: str) -> str:
    """Say how JSON text binds to a function's parameters.

    >>> say_binding(lambda minuend, subtrahend: 0, '{"subtrahend":23,"minuend":42}')
    'minuend=42, subtrahend=23'
    """
    try:
        value: Json = decode(params) if params.strip() else None
        if params.strip() and not isinstance(value, list | dict):
            return "not asked: params must be an array or an object"
        bound = bind(inspect.signature(function), value)
    except (ParseError, InvalidParams) as error:
        return f"does not fit: {error.data}"
    said = [f"{name}={value!r}" for name, value in bound.arguments.items()]
    return ", ".join(said) or "no arguments"


class MethodCaller(Widget):
    """A table of the functions given, a field for params, and what came back."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self._functions = {function.__name__: function for function in functions}
        methods = Methods()
        for function in functions:
            methods.add(function)
        self.console = Console(methods)
        self.method = w.Dropdown(options=[*self._functions, NO_SUCH_METHOD], description="method")
        self.params = w.Text(
            description="params",
            placeholder="an array, an object, or nothing",
            continuous_update=False,  # the whole text comes before the press of Call
            layout=wide(),
        )
        self.call_button = w.Button(description="Call", button_style="primary")
        self.shown = w.HTML(
            paragraph("Nothing was called yet. Choose a method, type params, and press Call.")
        )
        self.call_button.on_click(
            self.guarded(lambda _: self.call(self.method.value, self.params.value))
        )
        methods_shown = w.HTML(show_methods(self._functions))
        super().__init__(methods_shown, self.method, self.params, self.call_button, self.shown)
        self.method.add_class("rpclab-method")
        self.params.add_class("rpclab-params")
        self.call_button.add_class("rpclab-call")
        self.shown.add_class("rpclab-called")

    def call(self, method: str, params: str = "") -> Called:
        """Do what the button does: call a method with params as JSON text."""
        function = self._functions.get(method)
        bound = "not asked: the table has no such name"
        if function:
            bound = say_binding(function, params)
        with_params = f',"params":{params}' if params.strip() else ""
        line = f'{{"jsonrpc":"2.0","method":{encode(method)}{with_params},"id":1}}'
        called = Called(bound, self.console.send(line))
        self.shown.value = _CALLED(bound=bound, exchange=show_exchange(called.exchange))
        return called


_CALLED: Final = template("<p>bound: {{ code(bound) }}</p>{{ exchange }}")


def show_methods(functions: dict[str, Callable[..., Any]]) -> Html:
    """Show each method's name, and the parameters of its function."""
    return table(
        ("method", "its function takes"),
        [
            (code(name), code(str(inspect.signature(function))))
            for name, function in functions.items()
        ],
    )
