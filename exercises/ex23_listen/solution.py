"""Exercise 23: listen while you wait."""


def listen(messages: list[dict], id: str | int) -> tuple[dict | None, list[dict]]:
    """Return the response with that id, and the notifications before it.

    It is enough to ask for ``method`` first. A request of the server's own may carry the
    very id that we wait for, since each side counts its own; it is still a call.
    """
    heard: list[dict] = []
    for message in messages:
        if "method" not in message:
            if message["id"] == id:
                return message, heard
        elif "id" not in message:
            heard.append(message)
    return None, heard
