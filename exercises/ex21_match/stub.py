"""Exercise 21: match responses to requests."""


def match_replies(ids: list, responses: list[dict]) -> list[dict | None]:
    """Return the response to each id, in the order of the ids; None where there is none."""
    # TODO (about two lines): the order of the responses says nothing.
    raise NotImplementedError
