/* The client of MCP's TypeScript SDK, told what to do by `rpclab conform-client`.

   usage: node mcp_typescript_client.mjs NODE_MODULES SERVER...  */

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ErrorCode, McpError, ResultSchema } = require("@modelcontextprotocol/sdk/types.js");

const OURS = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout]; // made by the SDK
const FOREVER = 600; // seconds
const calls = {};
const aborts = {};
const say = (outcome) => process.stdout.write(JSON.stringify(outcome) + "\n");

/* Make a call, and say what came of it. */
async function call({ call: method, params, as, timeout = FOREVER }) {
  aborts[as] = new AbortController();
  const options = { signal: aborts[as].signal, timeout: timeout * 1000 };
  try {
    say({ as, result: await client.request({ method, params }, ResultSchema, options) });
  } catch (error) {
    if (!(error instanceof McpError) || OURS.includes(error.code)) {
      say({ as, failed: String(error) });
      return;
    }
    const message = error.message.replace(/^MCP error -?\d+: /, ""); // which the SDK adds
    say({ as, error: { code: error.code, message } });
  }
}

/* Do what a line of stdin says. */
async function follow(order) {
  if (order.call) calls[order.as] = call(order);
  else if (order.notify) await notify({ method: order.notify, params: order.params });
  else if (order.wait) await calls[order.wait];
  else if (order.cancel) aborts[order.cancel].abort("cancelled");
  else say({ cannot: "batch" });
}

const notify = (notification) => client.notification(notification).catch(() => {});
const capabilities = { roots: { listChanged: true } };
const client = new Client({ name: "adapter", version: "1" }, { capabilities });
let failure = "";
await client.connect(new StdioClientTransport({ command, args })).catch((error) => {
  failure = `no handshake: ${error}`;
});
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (!failure) await follow(order);
  else if (order.as) say({ as: order.as, failed: failure });
}
await Promise.all(Object.values(calls));
await client.close();
process.stdout.write("", () => process.exit(0));
