"""Exercise 27: sort what comes late."""


def sort_reply(waiting: set, given_up: set, response: dict) -> str:
    """Return "settles", "late" or "stray", and take the id out of its set."""
    # TODO (about seven lines): each id is found once.
    raise NotImplementedError
