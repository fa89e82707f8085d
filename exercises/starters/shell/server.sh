#!/bin/sh
# A JSON-RPC server in one line of sed, to see how far a pattern gets. It needs GNU sed.
#
# Try: rpclab conform --expected expected.toml -- sh server.sh
#
# It reads no JSON: a line that looks like a call of echo is turned into its reply, and any
# other line with an id into an error. What that breaks is in ../README.md.
exec sed -unE 's/^.*"method":"echo","params":(.*),"id":([^,}]*)\}$/{"jsonrpc":"2.0","result":\1,"id":\2}/p; t; s/^.*"id":([^,}]*).*$/{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":\1}/p'
