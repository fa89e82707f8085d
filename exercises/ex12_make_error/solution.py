"""Exercise 12: turn what a handler raised into an error object."""

from rpclab.errors import ABSENT, JsonRpcError


def make_error(error: Exception) -> dict:
    """Return the error object for an exception.

    One question is enough: was it meant for the caller? Then it says all of it. If not,
    it comes from inside, and its text may hold what is nobody else's business. A
    TypeError says nothing about params: those were looked at before the handler ran.
    """
    if not isinstance(error, JsonRpcError):
        data = {"exception": type(error).__name__}
        return {"code": -32603, "message": "Internal error", "data": data}
    made = {"code": error.code, "message": error.message}
    if error.data is not ABSENT:
        made["data"] = error.data
    return made
