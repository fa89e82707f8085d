"""Programs that keep every rule: a specimen is one of them with one change."""
