"""Exercise 13: design an error."""


def out_of_stock(item: str, wanted: int, left: int) -> dict:
    """Return the error object that says: of this item we have not enough.

    It is enough that each member has one reader. A program decides by the code, which is
    always the same and far from the reserved range. A person reads the message. What
    varies is in data, as values, so that no program has to look for a number in words.
    """
    return {
        "code": 1001,
        "message": "too few of this item are left",
        "data": {"item": item, "wanted": wanted, "left": left},
    }
