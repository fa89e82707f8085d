"""Exercise 1: tell the four shapes apart."""


def name_shape(message: dict) -> str:
    """Return "request", "notification", "success", "error" or "invalid".

    It is enough to ask which names are there. A null id is an id, so the value is
    never looked at; and ``method`` decides first, whatever is beside it.
    """
    if "method" in message:
        return "request" if "id" in message else "notification"
    if "result" in message:
        return "success"
    return "error" if "error" in message else "invalid"
