"""Exercise 11: find the line with the id that slips through."""

# In Python, bool is a subclass of int, so the question of the specimen lets true pass.
# All else in the line is right, so nothing else can be the reason that it is refused.
line: str | bytes = '{"jsonrpc":"2.0","method":"echo","id":true}'
