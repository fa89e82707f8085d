"""Exercise 7: find the line that is not JSON for anybody but Python."""

# One value is enough. NaN is a float in Python, and json.loads reads it; the grammar of
# JSON has no place for it. The specimen sends it back, and breaks its caller as well.
line: str | bytes = '{"jsonrpc":"2.0","method":"echo","params":[NaN],"id":1}'
