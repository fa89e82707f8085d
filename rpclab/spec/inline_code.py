"""Code in a sentence: it is between backticks, which no reader should see.

The clauses, the rulings and the tasks are written with them. Markdown shows them
rightly; a terminal and a page take them apart here.
"""

import html


def split_code(sentence: str) -> list[tuple[str, bool]]:
    """Return the parts of a sentence, and whether each is code.

    >>> split_code("A call has the member `jsonrpc`.")
    [('A call has the member ', False), ('jsonrpc', True), ('.', False)]
    """
    parts = enumerate(sentence.split("`"))
    return [(part, bool(place % 2)) for place, part in parts if part]


def as_plain(sentence: str) -> str:
    """Return a sentence without its backticks, for text that has one style.

    >>> as_plain("A call has the member `jsonrpc`.")
    'A call has the member jsonrpc.'
    """
    return "".join(part for part, _ in split_code(sentence))


def as_html(sentence: str) -> str:
    """Return a sentence as HTML, in which code is marked and everything is escaped.

    >>> as_html("`<` begins a tag")
    '<code>&lt;</code> begins a tag'
    """
    parts = ((html.escape(part), is_code) for part, is_code in split_code(sentence))
    return "".join(f"<code>{part}</code>" if is_code else part for part, is_code in parts)
