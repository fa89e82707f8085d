"""The adapters run in environments of their own: pytest must not import them here."""

collect_ignore_glob = ["*.py"]
