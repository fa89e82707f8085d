"""Exercise 27: sort what comes late."""


def sort_reply(waiting: set, given_up: set, response: dict) -> str:
    """Return "settles", "late" or "stray", and take the id out of its set.

    It is enough that each id is in one set at most, and leaves it when its response
    comes. The second response to a call is then a stray by itself, and a set tells the
    number 1 from the string "1".
    """
    id = response["id"]
    if id in waiting:
        waiting.remove(id)
        return "settles"
    if id in given_up:
        given_up.remove(id)
        return "late"
    return "stray"
