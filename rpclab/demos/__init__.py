"""Things to try and to watch: the demo server, a console, orderings, deadlocks."""
