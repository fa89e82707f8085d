"""Kernels on sockets: they take no port, and their folder goes with them."""

import sys
from pathlib import Path

import pytest

from tests.kernel_sockets import SocketKernelManager


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")
def test_a_kernel_is_reached_by_paths_which_go_when_it_ends():
    manager = SocketKernelManager(kernel_name="python3")
    manager.start_kernel()
    folder = Path(manager.connection_file).parent
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        assert manager.get_connection_info()["transport"] == "ipc"
        assert [path for path in folder.iterdir() if path.is_socket()]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert not folder.exists()
