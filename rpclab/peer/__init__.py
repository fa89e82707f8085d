"""Both ways at once: a peer calls and is called, with cancel, progress and time limits."""
