"""Exercise 24: find the line that makes it speak."""

# Any notification that fails will do. The specimen treats the error before it asks
# whether there is anybody to tell; the caller has no call to put the answer to.
line: str | bytes = '{"jsonrpc":"2.0","method":"boom"}'
