"""A server for the other end: ``python served.py bare`` or ``ours``."""

import os
import sys

from workloads import bare_requests, serve_ours

from rpclab import claim_stdio

if __name__ == "__main__":
    if sys.argv[1] == "ours":
        serve_ours(*claim_stdio())
    else:  # as sys.stdin.buffer and sys.stdout.buffer are, unless PYTHONUNBUFFERED is set
        bare_requests(os.fdopen(0, "rb"), os.fdopen(1, "wb"))
