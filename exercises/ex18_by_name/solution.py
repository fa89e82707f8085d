"""Exercise 18: find the line whose names are not read."""

# The order of the names has to be another than the function's, and the method has to
# mind it: a sum would hide the defect, a difference shows it.
line: str | bytes = (
    '{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":1}'
)
