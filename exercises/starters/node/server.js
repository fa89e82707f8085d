// A minimal JSON-RPC server on newline stdio, to start from.
//
// Try: rpclab conform --expected expected.toml -- node server.js
//
// What it still breaks is in ../README.md. Make the list shorter.
'use strict';

const readline = require('node:readline');

const methods = {
  echo: (params) => params ?? [],
  subtract: (params) => params[0] - params[1],
  add: (params) => params[0] + params[1],
  sum: (params) => params.reduce((total, number) => total + number, 0),
  get_data: () => ['hello', 5],
  boom: () => { throw new Error('boom'); },
  update: () => null,
  notify_hello: () => null,
  notify_sum: () => null,
};

// Call the method that a request names: give its result, or an error.
function call(request) {
  const method = methods[request.method];
  if (!method) return { error: { code: -32601, message: 'Method not found' } };
  try {
    return { result: method(request.params) };
  } catch (error) {
    return { error: { code: -32603, message: error.message } };
  }
}

function write(reply, id) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...reply, id })}\n`);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    write({ error: { code: -32700, message: 'Parse error' } }, null);
    return;
  }
  const reply = call(request);
  if (request.id !== undefined) write(reply, request.id);
});
