"""What every test run has in common."""

import os

from hypothesis import settings

os.environ["RPCLAB_PROGRESS"] = "off"  # tests are no learner

# A machine that is busy with something else is no fault of the example at hand.
settings.register_profile("rpclab", deadline=None)
settings.load_profile("rpclab")

# A program that starts its server at once: it is run by tests, and holds none.
collect_ignore = ["conformance/plain_client.py"]
