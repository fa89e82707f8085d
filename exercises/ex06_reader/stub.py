"""Exercise 6: repair a reader."""


def read_messages(chunks: list[bytes]) -> list[str]:
    """Return the lines in a stream that comes in chunks."""
    # TODO: two lines are wrong. It works as long as everybody writes ASCII.
    text = ""
    for chunk in chunks:
        text += chunk.decode()
    return text.splitlines()
