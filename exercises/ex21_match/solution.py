"""Exercise 21: match responses to requests."""


def match_replies(ids: list, responses: list[dict]) -> list[dict | None]:
    """Return the response to each id, in the order of the ids; None where there is none.

    It is enough to look up by id. A dict does it whatever the order, and tells the
    number 1 from the string "1". What nobody asked for is never looked up.
    """
    by_id = {response["id"]: response for response in responses}
    return [by_id.get(id) for id in ids]
