"""Kernels that listen on sockets in a folder of their own, also as a plugin for nbval.

Jupyter's default is TCP: it looks for free ports, and a kernel takes them a moment
later. If many kernels start at once, another program may have taken a port by then,
and the kernel dies. A path in a new folder is never taken. (Windows has no such
sockets, so ports are used there.)

    python -m pytest -p tests.kernel_sockets --nbval notebooks
"""

import shutil
import sys
import tempfile
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager, KernelManager


class OnSockets:
    """Lets a kernel manager reach its kernel by paths and not by ports."""

    def __init__(self, **settings):
        self._folder = tempfile.mkdtemp(prefix="rpclab-kernel-")
        if sys.platform != "win32":
            settings |= {"transport": "ipc"}
        super().__init__(connection_file=str(Path(self._folder) / "kernel.json"), **settings)

    def cleanup_connection_file(self):
        """Remove the folder with the sockets too."""
        super().cleanup_connection_file()
        shutil.rmtree(self._folder, ignore_errors=True)


class SocketKernelManager(OnSockets, KernelManager):
    """Starts one kernel, and waits for it."""


class AsyncSocketKernelManager(OnSockets, AsyncKernelManager):
    """Starts one kernel on an event loop, as nbclient does."""


def pytest_configure():
    """Let nbval start its kernels with this kind of manager."""
    import nbval.kernel

    nbval.kernel.KernelManager = SocketKernelManager
