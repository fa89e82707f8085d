"""Exercise 14: tell whose code it is."""


def name_owner(code: int) -> str:
    """Return "defined", "server", "reserved" or "application".

    It is enough to ask from the narrowest to the widest. Each question may then forget
    what the ones before it have taken, and both ends of a range belong to it.
    """
    if code in (-32700, -32600, -32601, -32602, -32603):
        return "defined"
    if -32099 <= code <= -32000:
        return "server"
    return "reserved" if -32768 <= code <= -32000 else "application"
