"""A class: assignments, hand-ins, and what they are worth."""
