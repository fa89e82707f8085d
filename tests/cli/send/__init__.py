"""Tests of the folder ``rpclab/cli/send``."""
