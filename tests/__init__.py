"""What holds rpclab to its word."""
