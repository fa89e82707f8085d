"""Runs the command as ``python -m rpclab``."""

from rpclab.cli import main

if __name__ == "__main__":
    main()
