"""Exercise 32: the whole server."""

# TODO: the command that starts your server.
command: list[str] | str = []
