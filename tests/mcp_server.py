"""A server of our own for the client of the `mcp` package: a handler, and `serve`."""

from rpclab import MethodNotFound, StdioTransport, claim_stdio, serve

TOOL = {
    "name": "subtract",
    "description": "Subtract one number from another.",
    "inputSchema": {
        "type": "object",
        "properties": {"minuend": {"type": "number"}, "subtrahend": {"type": "number"}},
        "required": ["minuend", "subtrahend"],
    },
}


def handler(method, params):
    match method:
        case "initialize":
            return {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "thirty lines", "version": "1"},
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": [TOOL]}
        case "tools/call":
            given = params["arguments"]
            difference = given["minuend"] - given["subtrahend"]
            return {"content": [{"type": "text", "text": str(difference)}]}
        case _:
            raise MethodNotFound(data={"method": method})


if __name__ == "__main__":
    serve(handler, StdioTransport(*claim_stdio()))
