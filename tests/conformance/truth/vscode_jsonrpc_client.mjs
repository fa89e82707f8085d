/* The connection of vscode-jsonrpc, told what to do by `rpclab conform-client`.

   usage: node vscode_jsonrpc_client.mjs NODE_MODULES SERVER...  */

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, command, ...args] = process.argv.slice(2);
const rpc = createRequire(`${folder}/`)("vscode-jsonrpc/node");

const calls = {};
const cancels = {};
const say = (outcome) => process.stdout.write(JSON.stringify(outcome) + "\n");

const server = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
server.stdin.on("error", () => {});
const connection = rpc.createMessageConnection(server.stdout, server.stdin);
connection.onError(() => {});
connection.onClose(() => connection.dispose()); // which fails the calls that wait
connection.onUnhandledNotification(({ method, params }) => say({ notification: { method, params } }));
connection.listen();

/* Return params as vscode-jsonrpc takes them: one argument for each position. */
function written(params) {
  if (params === undefined) return [];
  return Array.isArray(params) ? [rpc.ParameterStructures.byPosition, ...params] : [params];
}

/* Make a call, and say what came of it. */
async function call({ call: method, params, as }) {
  cancels[as] = new rpc.CancellationTokenSource();
  try {
    const result = await connection.sendRequest(method, ...written(params), cancels[as].token);
    say({ as, result });
  } catch (error) {
    const isSent = error instanceof rpc.ResponseError;
    if (isSent && error.code !== rpc.ErrorCodes.PendingResponseRejected) {
      say({ as, error: { code: error.code, message: error.message } });
    } else say({ as, failed: String(error) });
  }
}

/* Do what a line of stdin says, and return whether that is possible. */
async function follow(order) {
  if (order.batch) say({ cannot: "batch" });
  else if ("timeout" in order) say({ cannot: "give a call up by itself" });
  else if (order.call) calls[order.as] = call(order);
  else if (order.notify)
    await connection.sendNotification(order.notify, ...written(order.params)).catch(() => {});
  else if (order.wait) await calls[order.wait];
  else cancels[order.cancel].cancel();
  return !order.batch && !("timeout" in order);
}

for await (const line of createInterface({ input: process.stdin })) {
  if (!(await follow(JSON.parse(line)))) break;
}
await Promise.all(Object.values(calls));
connection.end();
server.stdin.end();
process.stdout.write("", () => process.exit(0));
