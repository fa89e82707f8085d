"""Every likely mistake is recognised, at a random place of a random message.

A planter takes a random good message, as tokens with random white space between them,
plants one fault at a random place, and returns the line and the byte of the fault. The
offset is counted here, from the tokens; it does not come from the reader under test.
"""

import json
from datetime import date
from itertools import cycle, islice
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpclab.errors import ParseError
from rpclab.explain import explain
from rpclab.explain.mistakes import MISTAKES
from rpclab.parsing import parse_request
from rpclab.spec import clause

SOME = settings(
    max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None
)

# --- good messages, as tokens -------------------------------------------------------

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=8).map(lambda w: f"q{w}")
NUMBERS = st.integers(2, 99_999) | st.sampled_from([0, -7, 2.5, 1e3, -1.5e-7])
LEAVES = WORDS | NUMBERS | st.booleans() | st.none()
SPACES = st.sampled_from(["", "", "", " ", "  ", "\t"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def calls(draw):
    """Draw a request with a value of every kind in its params."""
    params = [
        draw(WORDS),
        draw(NUMBERS),
        True,
        None,
        [1, draw(VALUES)],
        {draw(WORDS): draw(VALUES)},
    ]
    by_name = {draw(WORDS) + str(i): value for i, value in enumerate(params)}
    message = {
        "jsonrpc": "2.0",
        "method": draw(WORDS),
        "params": draw(st.sampled_from([params, by_name])),
        "id": draw(st.integers(0, 10**9) | WORDS),
    }
    return {name: message[name] for name in draw(st.permutations(list(message)))}


def tokens_of(value):
    """Yield the tokens of a JSON value: kind and text."""
    if isinstance(value, dict | list):
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        yield opening, opening
        for place, key in enumerate(value):
            if place:
                yield ",", ","
            if isinstance(value, dict):
                yield "name", json.dumps(key)
                yield ":", ":"
            yield from tokens_of(value[key] if isinstance(value, dict) else key)
        yield closing, closing
    elif isinstance(value, str):
        yield "string", json.dumps(value)
    else:
        kind = "literal" if value is None or isinstance(value, bool) else "number"
        yield kind, json.dumps(value)


class Line:
    """The tokens of a message, and the white space before each of them."""

    def __init__(self, data, value):
        self.draw = data.draw
        self.tokens = [list(token) for token in tokens_of(value)]
        spaces = self.draw(st.lists(SPACES, min_size=1, max_size=5))
        self.gaps = list(islice(cycle(spaces), len(self.tokens)))
        self.gaps[0] = ""

    def pick(self, *kinds, where=lambda i: True):
        """Pick the place of a token of these kinds."""
        places = [i for i, (kind, _) in enumerate(self.tokens) if kind in kinds and where(i)]
        return self.draw(st.sampled_from(places))

    def choose(self, *choices):
        """Choose one of these texts."""
        return self.draw(st.sampled_from(choices))

    def start(self, place):
        """Count the bytes before a token."""
        texts = [text for _, text in self.tokens[:place]]
        return len("".join([*texts, *self.gaps[: place + 1]]).encode())

    def bytes(self):
        """Write the line."""
        pairs = zip(self.gaps, self.tokens, strict=True)
        return "".join(gap + text for gap, (_, text) in pairs).encode()

    def put(self, place, text):
        """Put a text in place of a token, and return where it begins."""
        self.tokens[place][1] = text
        return self.start(place)

    def insert(self, place, text):
        """Insert a text before a token, and return where it begins."""
        self.tokens.insert(place, ["planted", text])
        self.gaps.insert(place, "")
        return self.start(place)

    def remove(self, place):
        """Remove a token; a space remains, so that its neighbours do not join."""
        del self.tokens[place]
        self.gaps[place + 1] += " "
        del self.gaps[place]
        return self.start(place)

    def cut(self, end):
        """Return the line up to a byte, and where it then ends."""
        return self.bytes()[:end].rstrip(b" \t"), len(self.bytes()[:end].rstrip(b" \t"))


def value_place(line, *kinds):
    """Pick a value whose place takes any value: not the four members' own."""
    return line.pick(*kinds, where=lambda i: line.tokens[i][1] != '"2.0"')


# --- planted in the JSON text -------------------------------------------------------


def trailing_comma(closing, opening):
    def plant(line):
        place = line.pick(closing, where=lambda i: line.tokens[i - 1][0] != opening)
        line.insert(place, ",")
        return line.bytes(), line.start(place + 1)

    return plant


def removed(kind):
    def plant(line):
        at = line.remove(line.pick(kind))
        return line.bytes(), at

    return plant


def replaced(kinds, *texts, shift=0):
    """Put a text in place of a token: the fault is ``shift`` bytes into it."""

    def plant(line):
        at = line.put(value_place(line, *kinds), line.choose(*texts))
        return line.bytes(), at + shift

    return plant


def quoted(opening, closing):
    def plant(line):
        place = line.pick("name", "string")
        at = line.put(place, opening + line.tokens[place][1][1:-1] + closing)
        return line.bytes(), at

    return plant


def unquoted(line):
    place = line.pick("name")
    at = line.put(place, line.tokens[place][1][1:-1])
    return line.bytes(), at


def bare(line):
    place = value_place(line, "string")
    at = line.put(place, line.tokens[place][1][1:-1])
    return line.bytes(), at


def inserted(*texts, first=False, shift=0):
    def plant(line):
        place = line.draw(st.integers(0 if first else 1, len(line.tokens) - 1))
        at = line.insert(place, line.choose(*texts))
        return line.bytes(), at + shift

    return plant


def in_string(text, shift=0):
    """Put bytes into a string, at any place in it."""

    def plant(line):
        place = line.pick("name", "string")
        inside = line.draw(st.integers(1, len(line.tokens[place][1]) - 1))
        at = line.start(place) + inside
        data = line.bytes()
        return data[:at] + text + data[at:], at + shift

    return plant


def cut_in_string(line):
    place = line.pick("name", "string")
    inside = line.draw(st.integers(1, len(line.tokens[place][1]) - 1))
    end = line.start(place) + inside
    return line.bytes()[:end], end


def cut_after_token(line):
    place = line.pick("{", "[", ":", ",", "name", "string", "]")
    return line.cut(line.start(place) + len(line.tokens[place][1].encode()))


def wrong_closing(line):
    place = line.pick("]", "}", where=lambda i: line.tokens[i - 1][0] not in {"{", ","})
    at = line.put(place, {"]": "}", "}": "]"}[line.tokens[place][1]])
    return line.bytes(), at


def appended(*texts):
    def plant(line):
        at = len(line.bytes())
        return line.bytes() + line.choose(*texts).encode(), at

    return plant


def doubled(line):
    data = line.bytes()
    gap = line.choose("", " ", ", ", ";").encode()
    return data + gap + data, len(data) + (len(gap) if not gap.strip() else 0)


def as_tuple(line):
    place = line.pick("[")
    return line.bytes()[: (at := line.start(place))] + b"(" + line.bytes()[at + 1 :], at


def as_python(line):
    value = json.loads(line.bytes())
    return repr(value).encode(), 1


def without_value(line):
    at = line.remove(line.pick(*ANY, where=lambda i: line.tokens[i - 1][0] == ":"))
    return line.bytes(), at


def name_as_object(line):
    at = line.put(line.pick("name"), line.choose('{"a":1}', "[]", '-"a"'))
    return line.bytes(), at


def name_as_number(line):
    at = line.put(line.pick("name"), line.choose("1", "42"))
    return line.bytes(), at


def inner_quote(line):
    place = line.pick("string", where=lambda i: len(line.tokens[i][1]) > 5)
    text = line.tokens[place][1]
    at = line.put(place, f'{text[:2]}"{text[2:]}')
    return line.bytes(), at + 3


ANY = ("number", "literal", "string")

JSON_FAULTS = {
    "trailing-comma-object": trailing_comma("}", "{"),
    "trailing-comma-array": trailing_comma("]", "["),
    "missing-comma": removed(","),
    "missing-colon": removed(":"),
    "equals-for-colon": replaced([":"], "="),
    "arrow-for-colon": replaced([":"], "=>"),
    "semicolon-for-comma": replaced([","], ";"),
    "extra-comma": replaced([","], ",,", ",,,", shift=1),
    "missing-value": without_value,
    "single-quotes": quoted("'", "'"),
    "smart-quotes": quoted("\u201c", "\u201d"),
    "backticks": quoted("`", "`"),
    "unquoted-name": unquoted,
    "name-not-string": name_as_object,
    "unescaped-quote": inner_quote,
    "bare-word": bare,
    "comment-slashes": inserted("// note", "//", first=True),
    "comment-star": inserted("/* note */", "/**/", "/* open", first=True),
    "comment-hash": inserted("#", "# note", first=True),
    "python-literal": replaced(ANY, "True", "False", "None"),
    "undefined": replaced(ANY, "undefined"),
    "not-finite": replaced(ANY, "NaN", "Infinity"),
    "leading-zero": replaced(ANY, "01", "007", "00", shift=1),
    "plus-sign": replaced(ANY, "+1", "+0.5"),
    "hexadecimal": replaced(ANY, "0x1F", "0b11", "0o7", shift=1),
    "number-spelling": replaced(ANY, "1_000", "1n", "7L", shift=1),
    "no-digit-before-point": replaced(ANY, ".5", ".25e3"),
    "no-digit-after-point": replaced(ANY, "5.", "5.e3", shift=2),
    "number-cut-off": replaced(ANY, "5e", "5E", shift=2),
    "unterminated-string": cut_in_string,
    "raw-control": in_string(b"\t"),
    "bad-escape": in_string(b"\\x41", shift=1),
    "not-closed": cut_after_token,
    "extra-closing": appended("}", "]", "}}"),
    "wrong-closing": wrong_closing,
    "two-messages": doubled,
    "text-after": appended("ok", ";", ", and", '"ok"', "0"),
    "python-tuple": as_tuple,
    "python-dict": as_python,
    "bom-elsewhere": inserted("\ufeff"),
    "nul-byte": inserted("\0", "\0\0"),
    "ansi-colours": inserted("\x1b[31m", first=True),
    "latin-1": in_string(b"\xe9"),
    "not-utf-8": in_string(b"\x80"),
    "number-too-large": replaced(ANY, "1e400", "-1E999", "9" * 5000, "1" * 100_000),
}

MORE_FAULTS = [
    ("not-finite", replaced(ANY, "-Infinity", "-NaN", shift=1)),
    ("leading-zero", replaced(ANY, "-01", shift=2)),
    ("no-digit-before-point", replaced(ANY, "-.5", shift=1)),
    ("bad-escape", in_string(b"\\'", shift=1)),
    ("bad-escape", in_string(b"\\u12G4", shift=4)),
    ("raw-control", in_string(b"\x01")),
    ("ansi-colours", in_string(b"\x1b[0m")),
    ("nul-byte", in_string(b"\0")),
    ("not-utf-8", in_string(b"\xed\xa0\x80")),
    ("not-utf-8", in_string(b"\xf0\x9f")),
    ("smart-quotes", quoted("\u2018", "\u2019")),
    ("unquoted-name", name_as_number),
    ("number-cut-off", replaced(ANY, "5e+", shift=3)),
]


@pytest.mark.parametrize(
    ("id", "plant"),
    [*JSON_FAULTS.items(), *MORE_FAULTS],
    ids=[*JSON_FAULTS, *(f"{id}-{i}" for i, (id, _) in enumerate(MORE_FAULTS))],
)
@SOME
@given(data=st.data())
def test_a_fault_in_the_json_is_named_wherever_it_stands(id, plant, data):
    line, offset = plant(Line(data, data.draw(calls())))
    explanation = explain(line)
    assert (explanation.mistake.id, explanation.mistake.offset) == (id, offset), line
    assert explanation.fault == offset
    assert explanation.verdict == "broken"
    with pytest.raises(ParseError):
        parse_request(line)


def test_a_text_nested_too_deeply_is_named_where_the_codec_gives_up():
    line = b'{"jsonrpc":"2.0","method":"q","params":' + b"[" * 200_000
    mistake = explain(line).mistake
    opened = line[: mistake.offset].count(b"[")
    assert mistake.id == "too-deep"
    assert line[mistake.offset : mistake.offset + 1] == b"["
    assert explain(b"[" * (opened - 20) + b"]" * (opened - 20)).fault is None
    assert explain(b"[" * (opened + 20) + b"]" * (opened + 20)).mistake.id == "too-deep"


# --- text that never was JSON -------------------------------------------------------

REQUEST = b'{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}'
SENTENCES = st.lists(WORDS, min_size=2, max_size=5).map(" ".join)


@st.composite
def headers(draw):
    """Draw some header fields, without a length."""
    names = draw(st.lists(WORDS.map(lambda w: f"X-{w}"), max_size=3))
    return "".join(f"{name}: {draw(WORDS)}\r\n" for name in names)


def text(*parts):
    """Join words and strategies into one strategy of bytes."""
    made = [part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts]
    joined = st.tuples(*made).map("".join)
    return joined.map(lambda line: line.encode())


MESSAGES = calls().map(json.dumps)
LEVELS = st.sampled_from(["INFO", "warning", "ERROR:", "Debug", "CRITICAL", "error"])
VERBS = st.sampled_from(["GET", "POST"])
BATCHED = st.lists(calls(), min_size=1, max_size=3)
DATES = st.dates(min_value=date(1000, 1, 1)).map(str)
TIMES = st.times().map(lambda time: time.strftime("%H:%M:%S"))

FOREIGN = {
    "log-line": [
        (text(LEVELS, " ", SENTENCES), 0),
        (text(LEVELS, " ", MESSAGES), 0),
        (text("[", LEVELS, "] ", SENTENCES), 1),
        (text("[", WORDS, "@17.2.1] ", SENTENCES), 1),
        (text("[0] ", SENTENCES), 4),
        (text(DATES, " ", TIMES, " ", SENTENCES), 4),
    ],
    "stack-trace": [
        (text("Traceback (most recent call last):"), 0),
        (text("panic: ", SENTENCES), 0),
        (text('Exception in thread "', WORDS, '" java.lang.IllegalStateException'), 0),
        (text("Error: ", SENTENCES), 0),
        (text("    at Object.", WORDS, " (/app/index.js:1:2)"), 4),
    ],
    "shell-error": [
        (text("bash: line 1: ", WORDS, ": command not found"), 0),
        (text("'", WORDS, "' is not recognized as an internal or external command,"), 0),
        (text("sh: 1: ", WORDS, ": not found"), 0),
    ],
    "npm-banner": [
        (text("> ", WORDS, "@1.0.0 start"), 0),
        (text("npm WARN deprecated ", WORDS), 1),
        (text("yarn run v1.22.19"), 0),
    ],
    "runtime-warning": [
        (text("(node:123) Warning: ", SENTENCES), 0),
        (text("app.py:12: DeprecationWarning: ", SENTENCES), 0),
    ],
    "compose-prefix": [
        (text("web_1  | ", SENTENCES), 0),
        (text("server-1 | ", MESSAGES), 0),
    ],
    "progress-bar": [
        (text(WORDS, ":  10%|#         | 1/10"), 0),
        (text(WORDS, "...\r", WORDS, " done"), 0),
    ],
    "banner": [
        (text(" ____  ____"), 1),
        (text("=== ", SENTENCES, " ==="), 0),
    ],
    "javascript-object": [
        (text("{ jsonrpc: '2.0', id: 3, result: [ [Object], '", WORDS, "' ] }"), 2),
        (text("{ method: '", WORDS, "', jsonrpc: '2.0' }"), 2),
    ],
    "lua-table": [(text('{ id = 1, method = "', WORDS, '", params = {} }'), 2)],
    "emacs-plist": [(text('(:jsonrpc "2.0" :method "', WORDS, '")'), 0)],
    "go-map": [(text("map[id:1 jsonrpc:2.0 method:", WORDS, "]"), 0)],
    "python-object": [
        (text("root=JSONRPCRequest(method='", WORDS, "', jsonrpc='2.0', id=0)"), 0),
        (text("Request(method='", WORDS, "', id=1)"), 0),
    ],
    "java-map": [(text("{jsonrpc=2.0, id=1, method=", WORDS, "}"), 1)],
    "rust-debug": [(text('Object {"jsonrpc": String("2.0"), "method": String("x")}'), 0)],
    "quotes-eaten": [
        (text("{jsonrpc:2.0,method:", WORDS, ",id:1}"), 1),
        (text("'{jsonrpc:2.0,method:", WORDS, ",id:1}'"), 0),
        (text("{jsonrpc: 2.0, method: ", WORDS, ", id: 1}"), 1),
        (text("jsonrpc:2.0 method:", WORDS, " id:1"), 0),
    ],
    "lsp-trace": [
        (text("[Trace - 10:20:30 AM] Sending request '", WORDS, " - (0)'.\nParams: {\n}\n\n"), 0)
    ],
    "code-page": [
        (st.just('{"method":"找不到文件"}'.encode("gbk")), 11),
        (st.just('{"method":"サーバー"}'.encode("cp932")), 11),
    ],
    "json-log": [(text('{"level":"info","time":1,"msg":"', WORDS, '"}'), 0)],
    "plain-text": [(text(SENTENCES), 0), (text("Server ", SENTENCES, "!"), 0)],
    "ansi-colours": [(text("\x1b[3", st.sampled_from("1234"), "m", SENTENCES, "\x1b[0m"), 0)],
    "shell-prompt": [
        (text(st.sampled_from(["$ ", "> ", ">>> ", "% ", "# ", "me@box:~$ "]), MESSAGES), 0),
        (text(st.sampled_from(["$ ", "% "]), "rpclab explain"), 0),
    ],
    "shell-command": [(text("echo '", MESSAGES, "' | rpclab serve"), 0)],
    "http-request": [
        (text(VERBS, " /", WORDS, " HTTP/1.1\r\n", headers(), "\r\n"), 0),
        (text("POST /", WORDS, " HTTP/1.1\r\n", headers(), "\r\n", MESSAGES), 0),
    ],
    "http-response": [
        (text("HTTP/1.1 200 OK\r\n", headers(), "\r\n", MESSAGES), 0),
        (text("HTTP/2 404"), 0),
    ],
    "sse-event": [
        (text("data: ", MESSAGES, "\n\n"), 0),
        (text("event: ", WORDS, "\ndata: ", MESSAGES, "\n\n"), 0),
        (text(": ", WORDS, "\ndata: ", MESSAGES, "\n\n"), 0),
    ],
    "header-line": [(text("X-", WORDS, ": ", WORDS), 0)],
    "content-length-header": [
        (text("Content-Length: ", st.integers(0, 999).map(str), "\r\n\r\n", MESSAGES), 0),
        (text("content-length: ", st.integers(0, 999).map(str)), 0),
        (text("Content-Type: application/json\r\nContent-Length: 9\r\n\r\n", MESSAGES), 0),
    ],
    "xml": [(text("<?xml version='1.0'?><", WORDS, "/>"), 0), (text("<", WORDS, ">1</q>"), 0)],
    "html": [
        (text("<!DOCTYPE html><p>", SENTENCES), 0),
        (text("<html><body>", SENTENCES, "</body></html>"), 0),
    ],
    "form-encoded": [
        (st.dictionaries(WORDS, WORDS, min_size=1).map(lambda form: urlencode(form).encode()), 0)
    ],
    "python-bytes": [(MESSAGES.map(lambda line: repr(line.encode()).encode()), 0)],
    "python-dict": [(text("dict(", WORDS, "=1)"), 0)],
    "wrapped-in-quotes": [(text("'", MESSAGES, "'"), 0), (text("`", MESSAGES, "`"), 0)],
    "escaped-quotes": [(MESSAGES.map(lambda line: line.replace('"', '\\"').encode()), 1)],
    "no-braces": [
        (text('"jsonrpc":"2.0","method":"', WORDS, '"'), 9),
        (text("jsonrpc: 2.0, method: ", WORDS), 0),
    ],
    "utf-16": [
        (MESSAGES.map(lambda line: line.encode("utf-16-le")), 1),
        (MESSAGES.map(lambda line: line.encode("utf-16-be")), 0),
        (MESSAGES.map(lambda line: line.encode("utf-16")), 0),
    ],
    "pretty-printed": [
        (calls().map(lambda call: json.dumps(call, indent=1).encode()), 1),
        (calls().map(lambda call: json.dumps(call, indent="\t").encode() + b"\n"), 1),
        (BATCHED.map(lambda batch: json.dumps(batch, indent=4).encode()), 1),
    ],
    "empty": [(st.just(b""), 0)],
    "blank": [(st.text(" \t\r", min_size=1, max_size=9).map(str.encode), None)],
    "bom-first": [(text("\ufeff", MESSAGES), 0), (text("\ufeff", MESSAGES, "\r\n"), 0)],
}  # fmt: skip
FOREIGN_ROWS = [(id, made, offset) for id, rows in FOREIGN.items() for made, offset in rows]


@pytest.mark.parametrize(
    ("id", "made", "offset"),
    FOREIGN_ROWS,
    ids=[f"{row[0]}-{i}" for i, row in enumerate(FOREIGN_ROWS)],
)
@SOME
@given(data=st.data())
def test_what_never_was_json_is_named(id, made, offset, data):
    line = data.draw(made)
    explanation = explain(line)
    assert explanation.mistake.id == id, line
    assert explanation.verdict == "broken"
    if offset is not None:
        assert explanation.mistake.offset == offset


@SOME
@given(data=st.data())
def test_a_line_break_in_a_string_is_named_where_it_stands(data):
    line, offset = in_string(b"\n")(Line(data, data.draw(calls())))
    mistake = explain(line).mistake
    assert (mistake.id, mistake.offset) == ("raw-newline", offset)


# --- frames of the language server protocol -----------------------------------------


def frame(payload, length=None, fields=b""):
    return b"%bContent-Length: %d\r\n\r\n%b" % (fields, length or len(payload), payload)


@SOME
@given(MESSAGES.map(str.encode), st.integers(-9, 9).filter(bool), headers().map(str.encode))
def test_a_wrong_length_is_named_at_its_digits(payload, by, fields):
    mistake = explain(frame(payload, len(payload) + by, fields), "lsp").mistake
    assert (mistake.id, mistake.offset) == ("wrong-length", len(fields) + 16)


@SOME
@given(MESSAGES.map(str.encode), headers().map(str.encode))
def test_a_right_length_is_kept(payload, fields):
    explanation = explain(frame(payload, None, fields) * 2, "lsp")
    assert [m.id for m in explanation.mistakes] == []
    assert len(explanation.members) == 2


@SOME
@given(headers().map(str.encode), st.integers(1, 999))
def test_a_header_without_a_body_is_named_at_its_end(fields, length):
    line = b"%bContent-Length: %d\r\n\r\n" % (fields, length)
    mistake = explain(line, "lsp").mistake
    assert (mistake.id, mistake.offset) == ("header-without-body", len(line))


@SOME
@given(MESSAGES.map(str.encode), st.sampled_from([b"many", b"-1", b"1.5", b""]))
def test_a_header_without_a_usable_length_is_named(payload, length):
    line = b"Content-Length: %b\r\n\r\n%b" % (length, payload)
    mistake = explain(line, "lsp").mistake
    assert (mistake.id, mistake.offset) == ("header-without-length", 0)


@SOME
@given(MESSAGES.map(str.encode), SENTENCES.map(str.encode))
def test_bytes_between_two_frames_are_named(payload, noise):
    first = frame(payload)
    found = {m.id: m.offset for m in explain(frame(payload) + frame(payload), "lsp").mistakes}
    assert found == {}
    line = b"%b\r\n%b\n%b" % (first, noise, first)
    found = {m.id: m.offset for m in explain(line, "lsp").mistakes}
    assert found.get("stray-bytes") == len(first) + 2


# --- valid JSON ----------------------------------------------------------------------

ABSENT = object()


def changed(**changes):
    """Draw a call with other values for some members; ABSENT removes a member."""

    @st.composite
    def make(draw):
        message = draw(calls())
        for name, change in changes.items():
            value = draw(change) if isinstance(change, st.SearchStrategy) else change
            if value is ABSENT:
                message.pop(name, None)
            else:
                message[name] = value
        return {name: message[name] for name in draw(st.permutations(list(message)))}

    return make()


def renamed(name, *others):
    """Draw a call in which a member has another name."""

    @st.composite
    def make(draw):
        other = draw(st.sampled_from(others))
        return {other if key == name else key: value for key, value in draw(calls()).items()}

    return make()


def response(**members):
    return changed(method=ABSENT, params=ABSENT, **members)


TEXTS = WORDS | st.just("")
SCALARS = st.integers() | WORDS | st.booleans()
ERRORS = st.fixed_dictionaries({"code": st.integers(-9, 9), "message": WORDS})

SLIPS = {
    "no-jsonrpc": (changed(jsonrpc=ABSENT), ""),
    "jsonrpc-old": (changed(jsonrpc=st.sampled_from(["1.0", "1.1"])), "jsonrpc"),
    "jsonrpc-number": (changed(jsonrpc=st.sampled_from([2.0, 2, 1])), "jsonrpc"),
    "jsonrpc-other": (changed(jsonrpc=st.sampled_from(["2", "2.00", "", None, []])), "jsonrpc"),
    "no-method": (changed(method=ABSENT), ""),
    "method-type": (changed(method=st.integers() | st.none() | st.lists(WORDS)), "method"),
    "params-null": (changed(params=None), "params"),
    "params-scalar": (changed(params=SCALARS), "params"),
    "id-type": (changed(id=st.booleans() | st.lists(WORDS) | st.just({})), "id"),
    "id-null": (changed(id=None), "id"),
    "id-fraction": (changed(id=st.integers(-99, 99).map(lambda n: n + 0.5)), "id"),
    "id-numeric-string": (changed(id=st.integers().map(lambda n: str(n)[:15])), "id"),
    "no-id": (changed(id=ABSENT), ""),
    "rpc-prefix": (changed(method=WORDS.map(lambda w: f"rpc.{w}")), "method"),
    "result-and-error": (response(result=VALUES, error=ERRORS), "error"),
    "error-null": (response(result=VALUES, error=None), "error"),
    "error-not-object": (response(error=SCALARS | st.none()), "error"),
    "no-code": (response(error=st.fixed_dictionaries({"message": WORDS})), "error"),
    "code-type": (
        response(error=st.fixed_dictionaries({"code": WORDS | st.just(1.5), "message": WORDS})),
        "error",
    ),
    "no-message": (response(error=st.fixed_dictionaries({"code": st.integers()})), "error"),
    "message-type": (
        response(error=st.fixed_dictionaries({"code": st.integers(), "message": st.none()})),
        "error",
    ),
    "response-without-id": (response(result=VALUES, id=ABSENT), ""),
    "response-to-server": (response(result=VALUES), ""),
}
NAMES = [
    ("misspelt-name", "method", ("methd", "metod", "mehtod", "methods", "function")),
    ("misspelt-name", "params", ("param", "parms", "parameters", "args", "arguments")),
    ("misspelt-name", "jsonrpc", ("jsonrcp", "json_rpc", "jsonrp", "version")),
    ("misspelt-name", "id", ("request_id", "uuid")),
    ("wrong-case", "method", ("Method", "METHOD")),
    ("wrong-case", "params", ("Params",)),
    ("wrong-case", "jsonrpc", ("jsonRPC", "JsonRpc")),
    ("wrong-case", "id", ("ID", "Id")),
]


def place_of(line, name):
    """Count the bytes before a member of the message."""
    if not name:
        return 0
    depths = [0]
    for kind, _ in line.tokens:
        depths.append(depths[-1] + (kind in "{[") - (kind in "}]"))
    (place,) = [
        i
        for i, (kind, text) in enumerate(line.tokens)
        if kind == "name" and text == f'"{name}"' and depths[i] == 1
    ]
    return line.start(place)


@pytest.mark.parametrize("id", SLIPS)
@SOME
@given(data=st.data())
def test_a_slip_in_valid_json_is_named(id, data):
    made, name = SLIPS[id]
    line = Line(data, data.draw(made))
    mistake = explain(line.bytes()).mistake
    assert (mistake.id, mistake.offset) == (id, place_of(line, name)), line.bytes()


@pytest.mark.parametrize(("id", "name", "others"), NAMES, ids=[f"{n}-{i}" for i, n, _ in NAMES])
@SOME
@given(data=st.data())
def test_a_name_that_is_nearly_right_is_named(id, name, others, data):
    value = data.draw(renamed(name, *others))
    line = Line(data, value)
    (other,) = set(value) & set(others)
    mistake = explain(line.bytes()).mistake
    assert (mistake.id, mistake.offset) == (id, place_of(line, other))


@SOME
@given(data=st.data())
def test_a_name_that_stands_twice_is_named_at_the_second(data):
    line = Line(data, data.draw(calls()))
    name = data.draw(st.sampled_from(["method", "params", "id", "jsonrpc"]))
    twin = json.dumps({name: json.loads(line.bytes())[name]})[1:-1]
    at = len(line.bytes()) - 1
    doubled = line.bytes()[:-1] + b"," + twin.encode() + b"}"
    explanation = explain(doubled)
    assert (explanation.mistake.id, explanation.mistake.offset) == ("duplicate-name", at + 1)
    assert explanation.verdict == "bent"


BATCHES = {
    "nested-batch": st.lists(calls(), max_size=2),
    "scalar-in-batch": SCALARS | st.none(),
    "empty-batch": None,
}


@pytest.mark.parametrize("id", ["nested-batch", "scalar-in-batch"])
@SOME
@given(data=st.data())
def test_a_member_that_is_no_message_is_named(id, data):
    before, after = (
        data.draw(st.lists(calls(), max_size=3)),
        data.draw(st.lists(calls(), max_size=3)),
    )
    wrong = data.draw(BATCHES[id])
    head = json.dumps(before)[:-1] + (", " if before else "")
    tail = "".join(f", {json.dumps(call)}" for call in after) + "]"
    mistakes = explain((head + json.dumps(wrong) + tail).encode()).mistakes
    assert (id, len(head)) in {(mistake.id, mistake.offset) for mistake in mistakes}


@SOME
@given(BATCHED, st.sampled_from(["mcp", "lsp", "acp"]))
def test_a_batch_is_refused_by_protocols_that_take_none(batch, profile):
    explanation = explain(json.dumps(batch).encode(), profile)
    assert (explanation.mistake.id, explanation.mistake.offset) == ("batch-refused", 0)
    assert explanation.verdict == "broken"
    assert '"code":-32600' in explanation.answer.line


@SOME
@given(st.sampled_from(["", " ", "\t"]), st.sampled_from(["[]", "[ ]"]))
def test_an_empty_batch_is_named(space, line):
    mistake = explain(space + line).mistake
    assert (mistake.id, mistake.offset) == ("empty-batch", len(space))


@SOME
@given(MESSAGES)
def test_a_message_that_was_encoded_twice_is_named(line):
    mistake = explain(json.dumps(line)).mistake
    assert (mistake.id, mistake.offset) == ("double-encoded", 0)


@SOME
@given((SCALARS | st.none()).filter(lambda value: value not in range(-32899, -31999)))
def test_a_value_that_is_no_object_is_named(value):
    assert explain(json.dumps(value)).mistake.id == "scalar"


@SOME
@given(data=st.data())
def test_half_a_character_is_accepted_and_named(data):
    line, offset = in_string(b"\\ud83d")(Line(data, changed_strings(data)))
    explanation = explain(line)
    assert ("lone-surrogate", offset) in {(m.id, m.offset) for m in explanation.mistakes}
    assert explanation.fault is None


@SOME
@given(data=st.data())
def test_a_line_separator_is_harmless_and_named(data):
    line, offset = in_string("\u2028".encode())(Line(data, changed_strings(data)))
    explanation = explain(line)
    assert ("line-separator", offset) in {(m.id, m.offset) for m in explanation.mistakes}
    assert explanation.fault is None


def changed_strings(data):
    """Draw a call. A fault planted in the name of a member changes that name."""
    return data.draw(calls())


# --- all of them ----------------------------------------------------------------------

TESTED = {
    *JSON_FAULTS, *FOREIGN, *SLIPS, *BATCHES, *(row[0] for row in NAMES),
    "raw-newline", "too-deep", "wrong-length", "header-without-body", "header-without-length",
    "stray-bytes", "duplicate-name", "batch-refused", "double-encoded", "scalar",
    "lone-surrogate", "line-separator",
    "message-inside",  # in test_pasted_text.py
}  # fmt: skip


def test_every_mistake_has_a_test_and_every_test_a_mistake():
    assert set(MISTAKES) == TESTED


@pytest.mark.parametrize("id", MISTAKES)
def test_every_mistake_names_a_clause_and_says_what_to_do(id):
    assert clause(MISTAKES[id].clause)
    assert MISTAKES[id].says
    assert not MISTAKES[id].says.endswith(".")
    assert MISTAKES[id].fix.endswith(".")
