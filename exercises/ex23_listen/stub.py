"""Exercise 23: listen while you wait."""


def listen(messages: list[dict], id: str | int) -> tuple[dict | None, list[dict]]:
    """Return the response with that id, and the notifications before it."""
    # TODO (about eight lines): tell the shapes apart; stop at the response.
    raise NotImplementedError
