"""Exercise 31: your server."""

# TODO: the command that starts your server, such as ["python3", "my_server.py"].
command: list[str] | str = []
