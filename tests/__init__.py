"""The tests of rpclab, in folders as the package."""
