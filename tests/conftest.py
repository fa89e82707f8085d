"""What every test run has in common."""

from hypothesis import settings

# A machine that is busy with something else is no fault of the example at hand.
settings.register_profile("rpclab", deadline=None)
settings.load_profile("rpclab")
